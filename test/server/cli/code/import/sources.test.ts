import { mkdirSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validateScript } from '#server/language/lace/validator.ts'
import { ROOT } from '#server/process/program.ts'
import { SCRIPT_LIMITS } from '#server/schemas/scripts/limits.ts'
import { answerGround, groundFiles, importGround, judge, RESPONSES } from '#test/support/cli/import-ground.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Each file is imported and run against ten responses. The import judges as the product does, or is stricter and says
// so in a note. It is never laxer. The table of all verdicts is written to .test/import-table.md.

const files = groundFiles(new URL('sources', import.meta.url).pathname)
const rows = new Map<string, string>()
let listener: RequestListener
let target: HttpTarget

beforeAll(async () => {
  target = await startHttpTarget((request, response) => listener(request, response))
})
afterAll(async () => {
  await target.close()
  const head = `| file | ${RESPONSES.join(' | ')} |\n|---|${'---|'.repeat(RESPONSES.length)}\n`
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  writeFileSync(join(ROOT, '.test/import-table.md'), `${head}${[...rows.values()].join('\n')}\n`)
})

test.each(files)('$name', async (file) => {
  const { expected } = file
  const imported = importGround(file, `http://127.0.0.1:${target.port}`)
  const { service, notes } = imported
  expect(validateScript(service.script ?? '', { ...SCRIPT_LIMITS, scopes: ['o', 'w', 'p', 's'] }).errors).toEqual([])
  expect(service.file.isActive).toBe(expected.isActive ?? true)
  const own = notes.filter(({ check }) => check === service.file.name || check === 'all')
  const texts = own.map(({ what, why, todo }) => `${what}: ${why} ${todo}`)

  const verdicts: Record<string, string> = {}
  for (const name of RESPONSES) {
    listener = answerGround(file, name)
    const theirs = expected.passes.includes(name) ? 'pass' : 'fail'
    const ours = (await judge(imported, file, name)) ? 'pass' : 'fail'
    const noted = expected.differs?.[name]
    const isNoted = noted !== undefined && texts.some((text) => text.includes(noted))
    const difference = ours === 'pass' ? 'LAXER' : isNoted ? 'noted' : `stricter without a note in ${texts.join('; ')}`
    verdicts[name] = theirs === ours ? theirs : `${theirs}/${ours} ${difference}`
  }
  rows.set(file.name, `| ${file.name} | ${RESPONSES.map((name) => verdicts[name]).join(' | ')} |`)

  const wanted = RESPONSES.map((name): [string, string] => {
    const theirs = expected.passes.includes(name) ? 'pass' : 'fail'
    return [name, expected.differs?.[name] === undefined ? theirs : `${theirs}/fail noted`]
  })
  expect(verdicts).toEqual(Object.fromEntries(wanted))
})
