// The script that sends analytics events and feedback to the server.
import "./count";
import "./feedback";
import "./report";
