import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates an empty folder, and deletes it after the test file. Returns its path. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
