import { readFileSync } from 'node:fs'
import { warmValidation } from '#server/commands/warm-validation.ts'
import { validateScript } from '#server/lace/validator.ts'
import { finishStart } from '#server/process/startup/finish-start.ts'
import { SCRIPT_SCOPES } from '#server/scripts/script-scopes.ts'

// Validates the script of its standard input as the first one of a process that started as web does, and prints the
// milliseconds of CPU time of the main thread.

const source = readFileSync(0, 'utf8')
const variables = { s: Array.from({ length: 400 }, (_, index) => `v${index}`) }
finishStart()
if (!process.argv.includes('--cold')) warmValidation()
const before = process.threadCpuUsage()
validateScript(source, { scopes: SCRIPT_SCOPES, variables })
const { user, system } = process.threadCpuUsage(before)
console.log((user + system) / 1_000)
