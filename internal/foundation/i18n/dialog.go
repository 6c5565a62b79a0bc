package i18n

// dialog holds the texts that only the search dialog uses.
type dialog struct{ recent, clear, again, failed, advice string }

// dialogs has an entry for every language in all. A regional variant uses the texts of its language.
var dialogs = map[string]dialog{
	"en": {"Recent searches", "Clear", "Try again",
		"The search could not be loaded.", "Check the spelling, or try other words."},
	"ar": {"عمليات البحث الأخيرة", "مسح", "إعادة المحاولة", "تعذّر تحميل البحث.",
		"تحقق من الإملاء أو جرّب كلمات أخرى."},
	"ca": {"Cerques recents", "Esborra", "Torna-ho a provar",
		"No s’ha pogut carregar la cerca.", "Revisa l’ortografia o prova amb altres paraules."},
	"cs": {"Nedávná hledání", "Vymazat", "Zkusit znovu",
		"Hledání se nepodařilo načíst.", "Zkontrolujte pravopis nebo zkuste jiná slova."},
	"da": {"Seneste søgninger", "Ryd", "Prøv igen", "Søgningen kunne ikke indlæses.",
		"Tjek stavningen, eller prøv andre ord."},
	"de": {"Letzte Suchen", "Leeren", "Erneut versuchen",
		"Die Suche konnte nicht geladen werden.", "Prüfen Sie die Schreibweise oder versuchen Sie andere Wörter."},
	"es": {"Búsquedas recientes", "Borrar", "Reintentar",
		"No se pudo cargar la búsqueda.", "Revisa la ortografía o prueba con otras palabras."},
	"fi": {"Viimeisimmät haut", "Tyhjennä", "Yritä uudelleen",
		"Hakua ei voitu ladata.", "Tarkista oikeinkirjoitus tai kokeile muita sanoja."},
	"fr": {"Recherches récentes", "Effacer", "Réessayer",
		"La recherche n’a pas pu être chargée.", "Vérifiez l’orthographe ou essayez d’autres mots."},
	"he": {"חיפושים אחרונים", "ניקוי", "לנסות שוב", "לא ניתן לטעון את החיפוש.",
		"כדאי לבדוק את האיות או לנסות מילים אחרות."},
	"hi": {"हाल की खोजें", "मिटाएँ", "फिर कोशिश करें", "खोज लोड नहीं हो सकी।", "वर्तनी जाँचें या दूसरे शब्द आज़माएँ।"},
	"hu": {"Legutóbbi keresések", "Törlés", "Újra",
		"A keresés nem tölthető be.", "Ellenőrizze a helyesírást, vagy próbáljon más szavakat."},
	"id": {"Pencarian terakhir", "Hapus", "Coba lagi", "Pencarian tidak dapat dimuat.",
		"Periksa ejaan atau coba kata lain."},
	"it": {"Ricerche recenti", "Cancella", "Riprova",
		"Impossibile caricare la ricerca.", "Controlla l’ortografia o prova altre parole."},
	"ja": {"最近の検索", "消去", "再試行", "検索を読み込めませんでした。", "綴りを確認するか、別の言葉をお試しください。"},
	"ko": {"최근 검색", "지우기", "다시 시도", "검색을 불러올 수 없습니다.", "맞춤법을 확인하거나 다른 단어를 사용해 보세요."},
	"lv": {"Nesenie meklējumi", "Notīrīt", "Mēģināt vēlreiz",
		"Meklēšanu neizdevās ielādēt.", "Pārbaudiet pareizrakstību vai mēģiniet citus vārdus."},
	"nl": {"Recente zoekopdrachten", "Wissen", "Opnieuw proberen",
		"Zoeken kon niet worden geladen.", "Controleer de spelling of probeer andere woorden."},
	"no": {"Siste søk", "Tøm", "Prøv igjen", "Søket kunne ikke lastes.", "Sjekk stavemåten, eller prøv andre ord."},
	"pl": {"Ostatnie wyszukiwania", "Wyczyść", "Spróbuj ponownie",
		"Nie udało się wczytać wyszukiwania.", "Sprawdź pisownię lub użyj innych słów."},
	"pt": {"Pesquisas recentes", "Limpar", "Tentar novamente",
		"Não foi possível carregar a pesquisa.", "Verifique a ortografia ou tente outras palavras."},
	"pt-BR": {"Buscas recentes", "Limpar", "Tentar novamente",
		"Não foi possível carregar a busca.", "Verifique a ortografia ou tente outras palavras."},
	"ro": {"Căutări recente", "Șterge", "Încearcă din nou",
		"Căutarea nu a putut fi încărcată.", "Verifică ortografia sau încearcă alte cuvinte."},
	"ru": {"Недавние запросы", "Очистить", "Повторить",
		"Не удалось загрузить поиск.", "Проверьте написание или попробуйте другие слова."},
	"sv": {"Senaste sökningar", "Rensa", "Försök igen",
		"Sökningen kunde inte laddas.", "Kontrollera stavningen eller prova andra ord."},
	"tr": {"Son aramalar", "Temizle", "Tekrar dene", "Arama yüklenemedi.",
		"Yazımı denetleyin veya başka sözcükler deneyin."},
	"uk": {"Недавні запити", "Очистити", "Спробувати ще раз",
		"Не вдалося завантажити пошук.", "Перевірте написання або спробуйте інші слова."},
	"uz": {"So‘nggi qidiruvlar", "Tozalash", "Qayta urinish",
		"Qidiruvni yuklab bo‘lmadi.", "Imloni tekshiring yoki boshqa so‘zlarni sinab ko‘ring."},
	"vi": {"Tìm kiếm gần đây", "Xóa", "Thử lại",
		"Không thể tải chức năng tìm kiếm.", "Hãy kiểm tra chính tả hoặc thử từ khác."},
	"zh-Hans": {"最近的搜索", "清除", "重试", "无法加载搜索。", "请检查拼写，或换用其他词语。"},
	"zh-Hant": {"最近的搜尋", "清除", "重試", "無法載入搜尋。", "請檢查拼寫，或改用其他詞語。"},
}

// pairs returns the English texts in the scripts, each with its translation.
func (d dialog) pairs(en dialog) [][2]string {
	return [][2]string{{en.recent, d.recent}, {en.clear, d.clear}, {en.again, d.again}, {en.failed, d.failed},
		{en.advice, d.advice}}
}

// dialogOf looks up the texts of a language in the same way as Of.
func dialogOf(code string) dialog {
	if d, ok := dialogs[Tag(code)]; ok {
		return d
	}
	if d, ok := dialogs[base(code)]; ok {
		return d
	}
	return dialogs["en"]
}
