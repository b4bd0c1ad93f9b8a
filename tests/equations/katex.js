// Sets each formula of a JSON list on stdin in KaTeX, strictly; prints a list of what is wrong, empty text for what is right.
const katex = require("katex");
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
const errors = formulas.map(([formula, displayMode]) => {
  try {
    katex.renderToString(formula, { displayMode, throwOnError: true, strict: "error" });
    return "";
  } catch (error) {
    return String(error);
  }
});
process.stdout.write(JSON.stringify(errors));
