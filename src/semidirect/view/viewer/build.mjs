// Writes bundle.js: viewer.js and what it needs of three.js, with its licence. In this folder: npm ci && npm run build
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const source = readFileSync("viewer.js");
const digest = createHash("sha256").update(source).digest("hex");
const { version } = JSON.parse(readFileSync("node_modules/three/package.json"));
const licence = readFileSync("node_modules/three/LICENSE", "utf8").trim();
const made = await build({
  entryPoints: ["viewer.js"], bundle: true, minify: true, format: "iife", target: "es2020", charset: "utf8",
  legalComments: "none", write: false,
});
const head = `/* viewer.js sha256 ${digest}\n\nWith three.js ${version}, https://threejs.org\n\n${licence}\n*/\n`;
writeFileSync("bundle.js", head + made.outputFiles[0].text);
