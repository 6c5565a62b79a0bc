package i18n

// Feedback holds the texts of the feedback form on pages.
type Feedback struct{ Helpful, Yes, No, Comment, Send, Thanks, Failed, Report string }

// feedbacks has an entry for every language in all.
var feedbacks = map[string]Feedback{
	"en": {"Was this page helpful?", "Yes", "No", "Tell us more (optional)", "Send", "Thank you.",
		"That could not be sent. Try again.", "Report a problem with this code"},
	"ar": {"هل كانت هذه الصفحة مفيدة؟", "نعم", "لا", "أخبرنا بالمزيد (اختياري)", "إرسال", "شكرًا لك.",
		"تعذّر الإرسال. حاول مرة أخرى.", "الإبلاغ عن مشكلة في هذه الشيفرة"},
	"ca": {"T’ha estat útil aquesta pàgina?", "Sí", "No", "Explica’ns-en més (opcional)", "Envia", "Gràcies.",
		"No s’ha pogut enviar. Torna-ho a provar.", "Informa d’un problema amb aquest codi"},
	"cs": {"Pomohla vám tato stránka?", "Ano", "Ne", "Napište nám více (nepovinné)", "Odeslat", "Děkujeme.",
		"Nepodařilo se odeslat. Zkuste to znovu.", "Nahlásit problém s tímto kódem"},
	"da": {"Var denne side nyttig?", "Ja", "Nej", "Fortæl os mere (valgfrit)", "Afsend", "Tak.",
		"Det kunne ikke sendes. Prøv igen.", "Rapportér et problem med denne kode"},
	"de": {"War diese Seite hilfreich?", "Ja", "Nein", "Erzählen Sie uns mehr (freiwillig)", "Senden", "Danke.",
		"Das konnte nicht gesendet werden. Versuchen Sie es erneut.", "Ein Problem mit diesem Code melden"},
	"es": {"¿Te ha resultado útil esta página?", "Sí", "No", "Cuéntanos más (opcional)", "Enviar", "Gracias.",
		"No se pudo enviar. Inténtalo de nuevo.", "Informar de un problema con este código"},
	"fi": {"Oliko tästä sivusta apua?", "Kyllä", "Ei", "Kerro lisää (valinnainen)", "Lähetä", "Kiitos.",
		"Lähetys ei onnistunut. Yritä uudelleen.", "Ilmoita tämän koodin ongelmasta"},
	"fr": {"Cette page vous a-t-elle été utile ?", "Oui", "Non", "Dites-nous-en plus (facultatif)", "Envoyer", "Merci.",
		"L’envoi a échoué. Réessayez.", "Signaler un problème dans ce code"},
	"he": {"האם הדף הזה עזר?", "כן", "לא", "ספרו לנו עוד (לא חובה)", "שליחה", "תודה.", "השליחה נכשלה. נסו שוב.",
		"דיווח על בעיה בקוד הזה"},
	"hi": {"क्या यह पृष्ठ उपयोगी था?", "हाँ", "नहीं", "हमें और बताएँ (वैकल्पिक)", "भेजें", "धन्यवाद।",
		"भेजा नहीं जा सका। फिर कोशिश करें।", "इस कोड की समस्या बताएँ"},
	"hu": {"Hasznos volt ez az oldal?", "Igen", "Nem", "Írjon erről bővebben (nem kötelező)", "Küldés", "Köszönjük.",
		"Nem sikerült elküldeni. Próbálja újra.", "Hiba jelzése ebben a kódban"},
	"id": {"Apakah halaman ini membantu?", "Ya", "Tidak", "Ceritakan lebih lanjut (opsional)", "Kirim", "Terima kasih.",
		"Tidak dapat dikirim. Coba lagi.", "Laporkan masalah pada kode ini"},
	"it": {"Questa pagina è stata utile?", "Sì", "No", "Dicci di più (facoltativo)", "Invia", "Grazie.",
		"Invio non riuscito. Riprova.", "Segnala un problema con questo codice"},
	"ja": {"このページは役に立ちましたか？", "はい", "いいえ", "詳しくお聞かせください（任意）", "送信", "ありがとうございます。", "送信できませんでした。もう一度お試しください。",
		"このコードの問題を報告"},
	"ko": {"이 페이지가 도움이 되었나요?", "예", "아니요", "자세히 알려 주세요(선택 사항)", "보내기", "감사합니다.", "보낼 수 없습니다. 다시 시도하세요.", "이 코드의 문제 신고"},
	"lv": {"Vai šī lapa bija noderīga?", "Jā", "Nē", "Pastāstiet vairāk (nav obligāti)", "Sūtīt", "Paldies.",
		"Neizdevās nosūtīt. Mēģiniet vēlreiz.", "Ziņot par problēmu šajā kodā"},
	"nl": {"Was deze pagina nuttig?", "Ja", "Nee", "Vertel ons meer (optioneel)", "Verzenden", "Bedankt.",
		"Verzenden is niet gelukt. Probeer het opnieuw.", "Een probleem met deze code melden"},
	"no": {"Var denne siden nyttig?", "Ja", "Nei", "Fortell oss mer (valgfritt)", "Send inn", "Takk.",
		"Det kunne ikke sendes. Prøv igjen.", "Meld fra om et problem med denne koden"},
	"pl": {"Czy ta strona była pomocna?", "Tak", "Nie", "Napisz nam więcej (opcjonalnie)", "Wyślij", "Dziękujemy.",
		"Nie udało się wysłać. Spróbuj ponownie.", "Zgłoś problem z tym kodem"},
	"pt": {"Esta página foi útil?", "Sim", "Não", "Conte-nos mais (opcional)", "Enviar", "Obrigado.",
		"Não foi possível enviar. Tente novamente.", "Comunicar um problema neste código"},
	"pt-BR": {"Esta página foi útil?", "Sim", "Não", "Conte mais (opcional)", "Enviar", "Obrigado.",
		"Não foi possível enviar. Tente novamente.",
		"Relatar um problema neste código"},
	"ro": {"A fost utilă această pagină?", "Da", "Nu", "Spune-ne mai multe (opțional)", "Trimite", "Mulțumim.",
		"Nu s-a putut trimite. Încearcă din nou.", "Raportează o problemă cu acest cod"},
	"ru": {"Была ли эта страница полезной?", "Да", "Нет", "Расскажите подробнее (необязательно)", "Отправить",
		"Спасибо.", "Не удалось отправить. Попробуйте ещё раз.", "Сообщить о проблеме в этом коде"},
	"sv": {"Var den här sidan till hjälp?", "Ja", "Nej", "Berätta mer (valfritt)", "Skicka", "Tack.",
		"Det gick inte att skicka. Försök igen.", "Rapportera ett problem med den här koden"},
	"tr": {"Bu sayfa yararlı oldu mu?", "Evet", "Hayır", "Daha fazlasını anlatın (isteğe bağlı)", "Gönder",
		"Teşekkürler.", "Gönderilemedi. Tekrar deneyin.", "Bu koddaki bir sorunu bildir"},
	"uk": {"Чи була ця сторінка корисною?", "Так", "Ні", "Розкажіть докладніше (необов’язково)", "Надіслати",
		"Дякуємо.", "Не вдалося надіслати. Спробуйте ще раз.", "Повідомити про проблему в цьому коді"},
	"uz": {"Bu sahifa foydali bo‘ldimi?", "Ha", "Yo‘q", "Batafsil yozing (ixtiyoriy)", "Yuborish", "Rahmat.",
		"Yuborib bo‘lmadi. Qayta urinib ko‘ring.", "Bu koddagi muammo haqida xabar berish"},
	"vi": {"Trang này có hữu ích không?", "Có", "Không", "Hãy cho chúng tôi biết thêm (không bắt buộc)", "Gửi",
		"Cảm ơn bạn.", "Không gửi được. Hãy thử lại.", "Báo lỗi trong đoạn mã này"},
	"zh-Hans": {"本页对您有帮助吗？", "有", "没有", "告诉我们更多（选填）", "发送", "谢谢。", "发送失败，请重试。", "报告此代码的问题"},
	"zh-Hant": {"本頁對您有幫助嗎？", "有", "沒有", "告訴我們更多（選填）", "傳送", "謝謝。", "傳送失敗，請重試。", "回報此程式碼的問題"},
}

// FeedbackOf looks up the texts of a language in the same way as Of.
func FeedbackOf(code string) Feedback {
	if f, ok := feedbacks[Tag(code)]; ok {
		return f
	}
	if f, ok := feedbacks[base(code)]; ok {
		return f
	}
	return feedbacks["en"]
}
