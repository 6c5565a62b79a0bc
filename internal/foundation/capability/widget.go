package capability

// WidgetFile is, in a built site whose server answers questions, the script that shows the assistant on pages of other sites. They name it,
// so it has no digest in its name.
const WidgetFile = "_lectern/assistant-widget.js"
