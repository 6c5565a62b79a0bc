package i18n

import "encoding/json"

// assistant holds the texts of the assistant's panel. Rare texts are not translated.
type assistant struct {
	find, ask, about, hint, name, send, stop, fresh, sources, good, bad, local, care string

	passOn string // label of the button that passes the search query on to the assistant
}

// assistants has an entry for every language in all. A regional variant uses the texts of its language.
var assistants = map[string]assistant{
	"en": {"Find an answer", "Ask AI", "Ask about this", "Ask a question…", "Assistant", "Send", "Stop", "New conversation", "Sources",
		"Helpful", "Not helpful",
		"Passages from these docs, without a language model.", "Answers can be wrong. Check the sources.",
		"Ask the assistant"},
	"ar": {"ابحث عن إجابة", "اسأل الذكاء الاصطناعي", "اسأل عن هذا", "اطرح سؤالًا…", "المساعد", "إرسال", "إيقاف", "محادثة جديدة",
		"المصادر", "مفيد", "غير مفيد",
		"مقاطع من هذه الوثائق، دون نموذج لغوي.", "قد تكون الإجابات خاطئة. تحقق من المصادر.", "اسأل المساعد"},
	"ca": {"Troba una resposta", "Pregunta a la IA", "Pregunta sobre això", "Fes una pregunta…", "Assistent", "Envia", "Atura",
		"Conversa nova", "Fonts", "Útil", "No útil",
		"Fragments d’aquesta documentació, sense cap model de llenguatge.",
		"Les respostes poden ser errònies. Comprova les fonts.", "Pregunta a l’assistent"},
	"cs": {"Najít odpověď", "Zeptat se AI", "Zeptat se na toto", "Položte otázku…", "Asistent", "Odeslat", "Zastavit", "Nová konverzace",
		"Zdroje", "Užitečné", "Neužitečné",
		"Úryvky z této dokumentace, bez jazykového modelu.", "Odpovědi mohou být chybné. Ověřte zdroje.",
		"Zeptat se asistenta"},
	"da": {"Find et svar", "Spørg AI", "Spørg om dette", "Stil et spørgsmål…", "Assistent", "Afsend", "Stands", "Ny samtale", "Kilder",
		"Nyttigt", "Ikke nyttigt",
		"Uddrag af denne dokumentation, uden en sprogmodel.", "Svar kan være forkerte. Tjek kilderne.",
		"Spørg assistenten"},
	"de": {"Antwort finden", "KI fragen", "Hierzu fragen", "Stellen Sie eine Frage…", "Assistent", "Senden", "Anhalten", "Neues Gespräch",
		"Quellen", "Hilfreich", "Nicht hilfreich",
		"Stellen aus dieser Dokumentation, ohne Sprachmodell.",
		"Antworten können falsch sein. Prüfen Sie die Quellen.", "Assistenten fragen"},
	"es": {"Buscar una respuesta", "Preguntar a la IA", "Preguntar sobre esto", "Haz una pregunta…", "Asistente", "Enviar", "Detener",
		"Nueva conversación", "Fuentes", "Útil", "No útil",
		"Pasajes de esta documentación, sin modelo de lenguaje.",
		"Las respuestas pueden ser erróneas. Comprueba las fuentes.", "Preguntar al asistente"},
	"fi": {"Etsi vastaus", "Kysy tekoälyltä", "Kysy tästä", "Esitä kysymys…", "Avustaja", "Lähetä", "Pysäytä", "Uusi keskustelu",
		"Lähteet", "Hyödyllinen", "Ei hyödyllinen",
		"Otteita tästä dokumentaatiosta, ilman kielimallia.", "Vastaukset voivat olla väärin. Tarkista lähteet.",
		"Kysy avustajalta"},
	"fr": {"Trouver une réponse", "Demander à l’IA", "Poser une question là-dessus", "Posez une question…", "Assistant IA", "Envoyer",
		"Arrêter", "Nouvelle conversation", "Références", "Utile", "Pas utile",
		"Passages de cette documentation, sans modèle de langage.",
		"Les réponses peuvent être fausses. Vérifiez les références.", "Demander à l’assistant"},
	"he": {"למצוא תשובה", "לשאול את ה-AI", "לשאול על זה", "שאלו שאלה…", "עוזר", "שליחה", "עצירה", "שיחה חדשה", "מקורות", "מועיל",
		"לא מועיל",
		"קטעים מהתיעוד הזה, ללא מודל שפה.", "התשובות עלולות להיות שגויות. בדקו את המקורות.", "לשאול את העוזר"},
	"hi": {"उत्तर खोजें", "AI से पूछें", "इसके बारे में पूछें", "प्रश्न पूछें…", "सहायक", "भेजें", "रोकें", "नई बातचीत", "स्रोत",
		"उपयोगी", "उपयोगी नहीं",
		"इन दस्तावेज़ों के अंश, बिना भाषा मॉडल के।", "उत्तर ग़लत हो सकते हैं। स्रोत जाँचें।", "सहायक से पूछें"},
	"hu": {"Válasz keresése", "Kérdezze az MI-t", "Kérdés erről", "Tegyen fel egy kérdést…", "Asszisztens", "Küldés", "Leállítás",
		"Új beszélgetés", "Források", "Hasznos", "Nem hasznos",
		"Részletek ebből a dokumentációból, nyelvi modell nélkül.",
		"A válaszok hibásak lehetnek. Ellenőrizze a forrásokat.", "Kérdezze az asszisztenst"},
	"id": {"Cari jawaban", "Tanya AI", "Tanyakan ini", "Ajukan pertanyaan…", "Asisten", "Kirim", "Hentikan", "Percakapan baru",
		"Sumber", "Membantu", "Tidak membantu",
		"Kutipan dari dokumentasi ini, tanpa model bahasa.", "Jawaban bisa salah. Periksa sumbernya.", "Tanya asisten"},
	"it": {"Trova una risposta", "Chiedi all’IA", "Chiedi di questo", "Fai una domanda…", "Assistente", "Invia", "Ferma",
		"Nuova conversazione", "Fonti", "Utile", "Non utile",
		"Passaggi di questa documentazione, senza modello linguistico.",
		"Le risposte possono essere sbagliate. Controlla le fonti.", "Chiedi all’assistente"},
	"ja": {"答えを探す", "AI に質問", "これについて質問", "質問を入力…", "アシスタント", "送信", "停止", "新しい会話", "出典", "役に立った", "役に立たなかった",
		"このドキュメントからの引用です。言語モデルは使っていません。", "回答は誤っていることがあります。出典をご確認ください。", "アシスタントに質問"},
	"ko": {"답변 찾기", "AI에게 질문", "이것에 대해 질문", "질문을 입력하세요…", "도우미", "보내기", "중지", "새 대화", "출처", "도움이 됨", "도움이 안 됨",
		"언어 모델 없이 이 문서에서 찾은 구절입니다.", "답변이 틀릴 수 있습니다. 출처를 확인하세요.", "도우미에게 질문"},
	"lv": {"Atrast atbildi", "Jautāt MI", "Jautāt par šo", "Uzdodiet jautājumu…", "Palīgs", "Sūtīt", "Apturēt", "Jauna saruna", "Avoti",
		"Noderīgi", "Nav noderīgi",
		"Fragmenti no šīs dokumentācijas, bez valodas modeļa.", "Atbildes var būt kļūdainas. Pārbaudiet avotus.",
		"Jautāt palīgam"},
	"nl": {"Antwoord zoeken", "Vraag het AI", "Hierover vragen", "Stel een vraag…", "Assistent", "Versturen", "Stoppen", "Nieuw gesprek",
		"Bronnen", "Nuttig", "Niet nuttig",
		"Passages uit deze documentatie, zonder taalmodel.", "Antwoorden kunnen fout zijn. Controleer de bronnen.",
		"Vraag het de assistent"},
	"no": {"Finn et svar", "Spør KI", "Spør om dette", "Still et spørsmål…", "Assistent", "Send inn", "Stopp", "Ny samtale", "Kilder",
		"Nyttig", "Ikke nyttig",
		"Utdrag fra denne dokumentasjonen, uten språkmodell.", "Svar kan være feil. Sjekk kildene.", "Spør assistenten"},
	"pl": {"Znajdź odpowiedź", "Zapytaj AI", "Zapytaj o to", "Zadaj pytanie…", "Asystent", "Wyślij", "Zatrzymaj", "Nowa rozmowa", "Źródła",
		"Pomocne", "Niepomocne",
		"Fragmenty tej dokumentacji, bez modelu językowego.", "Odpowiedzi mogą być błędne. Sprawdź źródła.",
		"Zapytaj asystenta"},
	"pt": {"Encontrar uma resposta", "Perguntar à IA", "Perguntar sobre isto", "Faça uma pergunta…", "Assistente", "Enviar", "Parar",
		"Nova conversa", "Fontes", "Útil", "Não útil",
		"Passagens desta documentação, sem modelo de linguagem.",
		"As respostas podem estar erradas. Verifique as fontes.", "Perguntar ao assistente"},
	"pt-BR": {"Encontrar uma resposta", "Perguntar à IA", "Perguntar sobre isto", "Faça uma pergunta…", "Assistente", "Enviar", "Parar",
		"Nova conversa", "Fontes", "Útil", "Não útil",
		"Trechos desta documentação, sem modelo de linguagem.", "As respostas podem estar erradas. Confira as fontes.",
		"Perguntar ao assistente"},
	"ro": {"Găsește un răspuns", "Întreabă AI", "Întreabă despre asta", "Pune o întrebare…", "Asistent", "Trimite", "Oprește",
		"Conversație nouă", "Surse", "Util", "Inutil",
		"Pasaje din această documentație, fără model lingvistic.", "Răspunsurile pot fi greșite. Verifică sursele.",
		"Întreabă asistentul"},
	"ru": {"Найти ответ", "Спросить ИИ", "Спросить об этом", "Задайте вопрос…", "Помощник", "Отправить", "Остановить",
		"Новый разговор", "Источники", "Полезно", "Бесполезно",
		"Отрывки из этой документации, без языковой модели.", "Ответы могут быть неверны. Проверьте источники.",
		"Спросить помощника"},
	"sv": {"Hitta ett svar", "Fråga AI", "Fråga om detta", "Ställ en fråga…", "Assistent", "Skicka", "Stoppa", "Nytt samtal", "Källor",
		"Användbart", "Inte användbart",
		"Utdrag ur den här dokumentationen, utan språkmodell.", "Svar kan vara fel. Kontrollera källorna.",
		"Fråga assistenten"},
	"tr": {"Yanıt bul", "Yapay zekâya sor", "Bunu sor", "Bir soru sorun…", "Asistan", "Gönder", "Durdur", "Yeni konuşma",
		"Kaynaklar", "Yararlı", "Yararlı değil",
		"Bu belgelerden alıntılar, dil modeli olmadan.", "Yanıtlar yanlış olabilir. Kaynakları denetleyin.",
		"Asistana sor"},
	"uk": {"Знайти відповідь", "Запитати ШІ", "Запитати про це", "Поставте запитання…", "Помічник", "Надіслати", "Зупинити", "Нова розмова",
		"Джерела", "Корисно", "Не корисно",
		"Уривки з цієї документації, без мовної моделі.", "Відповіді можуть бути хибними. Перевірте джерела.",
		"Запитати помічника"},
	"uz": {"Javob topish", "AIdan so‘rash", "Bu haqda so‘rash", "Savol bering…", "Yordamchi", "Yuborish", "To‘xtatish", "Yangi suhbat",
		"Manbalar", "Foydali", "Foydasiz",
		"Ushbu hujjatlardan parchalar, til modelisiz.", "Javoblar xato bo‘lishi mumkin. Manbalarni tekshiring.",
		"Yordamchidan so‘rash"},
	"vi": {"Tìm câu trả lời", "Hỏi AI", "Hỏi về điều này", "Đặt câu hỏi…", "Trợ lý", "Gửi", "Dừng", "Cuộc trò chuyện mới", "Nguồn",
		"Hữu ích", "Không hữu ích",
		"Các đoạn trích từ tài liệu này, không dùng mô hình ngôn ngữ.", "Câu trả lời có thể sai. Hãy kiểm tra nguồn.",
		"Hỏi trợ lý"},
	"zh-Hans": {"查找答案", "询问 AI", "询问此内容", "输入问题…", "助手", "发送", "停止", "新对话", "来源", "有帮助", "没有帮助",
		"摘自本文档的段落，未使用语言模型。", "回答可能有误，请核对来源。", "询问助手"},
	"zh-Hant": {"尋找答案", "詢問 AI", "詢問此內容", "輸入問題…", "助理", "傳送", "停止", "新對話", "來源", "有幫助", "沒有幫助",
		"摘自本文件的段落，未使用語言模型。", "回答可能有誤，請核對來源。", "詢問助理"},
}

// pairs returns the English texts in the scripts, each with its translation.
func (a assistant) pairs(en assistant) [][2]string {
	return [][2]string{
		{en.find, a.find}, {en.ask, a.ask}, {en.about, a.about}, {en.hint, a.hint}, {en.name, a.name}, {en.send, a.send},
		{en.stop, a.stop}, {en.fresh, a.fresh},
		{en.sources, a.sources}, {en.good, a.good}, {en.bad, a.bad}, {en.local, a.local}, {en.care, a.care},
		{en.passOn, a.passOn},
	}
}

// assistantOf looks up the texts of a language in the same way as Of.
func assistantOf(code string) assistant {
	if a, ok := assistants[Tag(code)]; ok {
		return a
	}
	if a, ok := assistants[base(code)]; ok {
		return a
	}
	return assistants["en"]
}

// AskAI returns the label of the button that opens the assistant.
func AskAI(code string) string { return assistantOf(code).ask }

// FindAnswer returns the label of the button that opens an assistant without a language model, which quotes the
// documentation.
func FindAnswer(code string) string { return assistantOf(code).find }

// Assistant returns the texts of the assistant's scripts as a JSON object keyed by the English text; "" for English.
func Assistant(code string) string {
	a, en := assistantOf(code), assistants["en"]
	if a == en {
		return ""
	}
	said := map[string]string{}
	for _, pair := range a.pairs(en) {
		said[pair[0]] = pair[1]
	}
	out, err := json.Marshal(said)
	if err != nil { // unreachable: strings always marshal
		return ""
	}
	return string(out)
}
