import type { RequestListener } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import type { Format } from '#server/cli/code/import/formats.ts'
import { answerGround, type Expected, type GroundFile, importGround, judge } from '#test/support/cli/import-ground.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

/** `stricter` is where the product passes, or does not document what it does, and the import fails with a note. */
export type Verdict = 'pass' | 'fail' | 'stricter'
export const PAGE = '<html>Welcome</html>'

/** Starts a target for the tests of a file. Returns a function that judges an imported document by one response of it. */
export function importTarget() {
  let listener: RequestListener
  let target: HttpTarget
  beforeAll(async () => {
    target = await startHttpTarget((request, response) => listener(request, response))
  })
  afterAll(() => target.close())

  return async (format: Format, document: unknown, right: Expected['answers']['right']) => {
    const expected = { format, why: '', passes: [], answers: { right } }
    const file: GroundFile = { name: 'a', text: JSON.stringify(document), expected }
    const imported = importGround(file, `http://127.0.0.1:${target.port}`)
    listener = answerGround(file, 'right')
    const passes = await judge(imported, file, 'right')
    return { passes, notes: imported.notes, isActive: imported.service.file.isActive }
  }
}
