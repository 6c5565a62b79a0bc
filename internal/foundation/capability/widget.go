package capability

// WidgetFile is the script with which pages of other sites embed the assistant. A built site contains it if its server
// has an assistant. Those pages refer to it by name, so the name contains no digest.
const WidgetFile = "_lectern/assistant-widget.js"
