// The script that tells the server what readers do and what they say about pages.
import "./count";
import "./feedback";
import "./report";
