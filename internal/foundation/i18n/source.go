package i18n

// Source holds the texts of links to a page's source, and of buttons that copy it.
type Source struct{ Edit, Issue, PDF string }

// sources has an entry for every language in all.
var sources = map[string]Source{
	"en":      {"Suggest edits", "Raise an issue", "Save as PDF"},
	"ar":      {"اقتراح تعديلات", "الإبلاغ عن مشكلة", "حفظ بصيغة PDF"},
	"ca":      {"Suggereix canvis", "Informa d’un problema", "Desa com a PDF"},
	"cs":      {"Navrhnout úpravy", "Nahlásit problém", "Uložit jako PDF"},
	"da":      {"Foreslå rettelser", "Rapportér et problem", "Gem som PDF"},
	"de":      {"Änderungen vorschlagen", "Problem melden", "Als PDF speichern"},
	"es":      {"Sugerir cambios", "Informar de un problema", "Guardar como PDF"},
	"fi":      {"Ehdota muutoksia", "Ilmoita ongelmasta", "Tallenna PDF-tiedostona"},
	"fr":      {"Suggérer des modifications", "Signaler un problème", "Enregistrer en PDF"},
	"he":      {"הצעת שינויים", "דיווח על בעיה", "שמירה כ־PDF"},
	"hi":      {"बदलाव सुझाएँ", "समस्या बताएँ", "PDF के रूप में सहेजें"},
	"hu":      {"Módosítás javaslata", "Hiba jelentése", "Mentés PDF-ként"},
	"id":      {"Sarankan perubahan", "Laporkan masalah", "Simpan sebagai PDF"},
	"it":      {"Suggerisci modifiche", "Segnala un problema", "Salva come PDF"},
	"ja":      {"編集を提案", "問題を報告", "PDF として保存"},
	"ko":      {"수정 제안", "문제 신고", "PDF로 저장"},
	"lv":      {"Ieteikt labojumus", "Ziņot par problēmu", "Saglabāt kā PDF"},
	"nl":      {"Wijzigingen voorstellen", "Een probleem melden", "Opslaan als PDF"},
	"no":      {"Foreslå endringer", "Meld fra om et problem", "Lagre som PDF"},
	"pl":      {"Zaproponuj zmiany", "Zgłoś problem", "Zapisz jako PDF"},
	"pt":      {"Sugerir alterações", "Comunicar um problema", "Guardar como PDF"},
	"pt-BR":   {"Sugerir alterações", "Relatar um problema", "Salvar como PDF"},
	"ro":      {"Sugerează modificări", "Raportează o problemă", "Salvează ca PDF"},
	"ru":      {"Предложить правки", "Сообщить о проблеме", "Сохранить как PDF"},
	"sv":      {"Föreslå ändringar", "Rapportera ett problem", "Spara som PDF"},
	"tr":      {"Düzenleme öner", "Sorun bildir", "PDF olarak kaydet"},
	"uk":      {"Запропонувати зміни", "Повідомити про проблему", "Зберегти як PDF"},
	"uz":      {"Tahrir taklif qilish", "Muammo haqida xabar berish", "PDF sifatida saqlash"},
	"vi":      {"Đề xuất chỉnh sửa", "Báo cáo vấn đề", "Lưu dưới dạng PDF"},
	"zh-Hans": {"建议修改", "报告问题", "另存为 PDF"},
	"zh-Hant": {"建議修改", "回報問題", "另存為 PDF"},
}

// SourceOf looks up the texts of a language in the same way as Of.
func SourceOf(code string) Source {
	if s, ok := sources[Tag(code)]; ok {
		return s
	}
	if s, ok := sources[base(code)]; ok {
		return s
	}
	return sources["en"]
}
