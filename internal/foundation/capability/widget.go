package capability

// WidgetFile is, in a built site whose server has an assistant, the script that embeds the assistant into pages of
// other sites. They refer to it by name, so the name contains no digest.
const WidgetFile = "_lectern/assistant-widget.js"
