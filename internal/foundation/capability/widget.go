package capability

// WidgetFile is the script, in a built site whose server has an assistant, that embeds the assistant into pages of
// other sites. Those pages refer to it by name, so the name contains no digest.
const WidgetFile = "_lectern/assistant-widget.js"
