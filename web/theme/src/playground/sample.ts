// @ts-nocheck
// A request as code. Requests are {method, url, headers: [{name, value}], body: {kind, type, value, text, fields: [{name, value, file}]}};
// kind is none, json, text, form, multipart or file.
import { sampleCsharp, sampleDart, sampleGo, sampleJava, sampleKotlin, sampleLibcurl, sampleRust, sampleSwift } from "./samplecompiled";
import { sampleCurl, sampleFetch, sampleNode, samplePHP, samplePowershell, samplePython, sampleRuby } from "./samplescript";

export const SAMPLES = {
  bash: ["cURL", sampleCurl], python: ["Python", samplePython], javascript: ["JavaScript", sampleFetch("")], php: ["PHP", samplePHP],
  go: ["Go", sampleGo], java: ["Java", sampleJava], ruby: ["Ruby", sampleRuby], node: ["Node.js", sampleNode],
  typescript: ["TypeScript", sampleFetch(": RequestInit")], powershell: ["PowerShell", samplePowershell], swift: ["Swift", sampleSwift],
  csharp: ["C#", sampleCsharp], kotlin: ["Kotlin", sampleKotlin], rust: ["Rust", sampleRust], dart: ["Dart", sampleDart],
  c: ["C", sampleLibcurl("int main(void)", "NULL")], cpp: ["C++", sampleLibcurl("int main()", "nullptr")],
};
export const writeSample = (language, request) => SAMPLES[language][1](request).replace(/\n+$/, "");
