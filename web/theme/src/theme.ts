// The script of every page. Pages are readable without it. Modules run when they are imported, in this order: those that examine the
// document as the server sent it come before those that change it.
import "./visit/swap";
import "./frame/toggle";
import "./frame/banner";
import "./frame/signout";
import "./content/copy";
import "./content/tabs";
import "./content/code";
import "./content/view";
import "./content/reader";
import "./content/reveal";
import "./content/heading";
import "./frame/twin";
import "./content/tooltip";
import "./content/table";
import "./content/zoom";
import "./content/mermaid";
import "./nav/outline";
import "./nav/tree";
import "./nav/sidebar";
import "./nav/menu";
import "./nav/drawer";
import "./search/dialog";
import "./visit/visit";
import "./visit/prefetch";
