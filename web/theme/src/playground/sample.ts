// A request as code, in every language.
import { sampleCsharp, sampleDart, sampleGo, sampleJava, sampleKotlin, sampleLibcurl, sampleRust, sampleSwift } from "./samplecompiled";
import type { SampleRequest } from "./samplequote";
import { sampleCurl, sampleFetch, sampleNode, samplePHP, samplePowershell, samplePython, sampleRuby } from "./samplescript";

export const SAMPLES: Record<string, [title: string, write: (r: SampleRequest) => string]> = {
  bash: ["cURL", sampleCurl], python: ["Python", samplePython], javascript: ["JavaScript", sampleFetch("")], php: ["PHP", samplePHP],
  go: ["Go", sampleGo], java: ["Java", sampleJava], ruby: ["Ruby", sampleRuby], node: ["Node.js", sampleNode],
  typescript: ["TypeScript", sampleFetch(": RequestInit")], powershell: ["PowerShell", samplePowershell], swift: ["Swift", sampleSwift],
  csharp: ["C#", sampleCsharp], kotlin: ["Kotlin", sampleKotlin], rust: ["Rust", sampleRust], dart: ["Dart", sampleDart],
  c: ["C", sampleLibcurl("int main(void)", "NULL")], cpp: ["C++", sampleLibcurl("int main()", "nullptr")],
};
export const writeSample = (language: string, request: SampleRequest) => SAMPLES[language][1](request).replace(/\n+$/, "");
