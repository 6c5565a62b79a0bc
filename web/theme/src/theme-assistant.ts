// The script of every page of a site with an assistant.
import "./theme";
import "./assistant/start";
