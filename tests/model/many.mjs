// `npm run test:model`: the model's stories, very many of them. RUNS sets how many, SEED repeats those of a
// failure, which names its seed.
import { spawn } from "node:child_process"
import { binary } from "../checks.mjs"
import { projectRoot } from "../install-packages.mjs"

const { RUNS = "100000" } = process.env
const jest = spawn(
  process.execPath,
  [
    binary("jest/bin/jest.js"),
    ...["--selectProjects", "model", "--testPathPatterns", "every-pay"],
    ...process.argv.slice(2),
  ],
  { cwd: projectRoot, stdio: "inherit", env: { ...process.env, NODE_ENV: "test", RUNS } }
)
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => jest.kill(signal))
jest.once("close", (code) => {
  process.exitCode = code ?? 1
})
