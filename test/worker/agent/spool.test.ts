import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { piecesOf } from '#server/bodies/body-content.ts'
import { testFolder } from '#test/support/folder.ts'
import { openSpool, type Spool } from '#worker/agent/spool.ts'

const MEBIBYTE = 1024 * 1024
const parent = testFolder()
const key = randomBytes(32)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(parent, 'spool-'))
})

const open = (maxBytes = 16 * MEBIBYTE, sealedWith = key) => openSpool(folder, sealedWith, maxBytes)
const readBody = async (spool: Spool, run: { id: string; attempt: number }, call: number) => {
  const content = await spool.openBody(run, call)
  if (content === null) return null
  const bytes = await buffer(content.pieces())
  await content.close()
  return bytes
}
const newRun = () => ({ id: randomUUID(), attempt: 1 })
const files = () => readdirSync(join(folder, 'spool')).sort()

test('keeps results in their order, with bodies, sealed and over a restart', async () => {
  const spool = await open()
  const runs = [newRun(), newRun(), newRun()]
  for (const [i, run] of runs.entries()) {
    expect(await spool.putBody(run, 0, () => piecesOf(Buffer.from(`body of run ${i}`)))).toBe(true)
    expect(await spool.putResult(run, Buffer.from(`result of run ${i}`))).toBe(true)
  }
  for (const file of files()) expect(readFileSync(join(folder, 'spool', file), 'latin1')).not.toContain('of run')

  const again = await open()
  expect([...again.results()].map(({ id }) => id)).toEqual(runs.map(({ id }) => id))
  for (const [i, result] of [...again.results()].entries()) {
    expect((await again.readResult(result))?.toString()).toBe(`result of run ${i}`)
    expect((await readBody(again, result, 0))?.toString()).toBe(`body of run ${i}`)
    await again.remove(result)
  }
  expect([again.size(), files()]).toEqual([0, []])

  // The order of later results continues.
  const last = newRun()
  await again.putResult(last, Buffer.from('x'))
  expect((await open()).has(last)).toBe(true)
})

test('deletes at the start what a killed process did not finish', async () => {
  const spool = await open()
  const [ended, killed] = [newRun(), newRun()]
  await spool.putResult(ended, Buffer.from('done'))
  await spool.putBody(killed, 0, () => piecesOf(Buffer.from('no result follows')))
  writeFileSync(join(folder, 'spool', 'half.result.new'), 'half')
  const again = await open()
  expect([again.has(ended), again.has(killed), files().length]).toEqual([true, false, 1])
})

test('drops the oldest results with their bodies when it is full, and refuses a body that never fits', async () => {
  const spool = await open(4 * MEBIBYTE)
  const runs = Array.from({ length: 6 }, newRun)
  for (const run of runs) {
    await spool.putBody(run, 0, () => piecesOf(randomBytes(MEBIBYTE)))
    await spool.putResult(run, Buffer.from('result'))
  }
  expect(runs.map(spool.has)).toEqual([false, false, false, true, true, true])
  expect(spool.isFilling()).toBe(true)
  expect(files()).toHaveLength(6)
  expect(await spool.putBody(newRun(), 0, () => piecesOf(randomBytes(5 * MEBIBYTE)))).toBe(false)
})

test.each([
  [
    'damaged',
    (file: string) =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, at, all) => (at === all.length - 1 ? byte ^ 1 : byte)),
      ),
  ],
  ['cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
  ['empty', (file: string) => writeFileSync(file, '')],
])('sets a %s file aside and keeps the others', async (_, harm) => {
  const spool = await open()
  const [harmed, whole] = [newRun(), newRun()]
  for (const run of [harmed, whole]) await spool.putResult(run, Buffer.from(run.id))
  const first = files()[0] as string
  harm(join(folder, 'spool', first))
  const again = await open()
  const [one, other] = [...again.results()]
  expect(one && (await again.readResult(one))).toBeNull()
  expect(other && (await again.readResult(other))?.toString()).toBe(whole.id)
  expect(files()).toContain(`${first}.unreadable`)
})

test('does not send a damaged body, and keeps one readable while it is sent', async () => {
  const spool = await open()
  const [harmed, whole] = [newRun(), newRun()]
  const bytes = randomBytes(MEBIBYTE)
  for (const run of [harmed, whole]) await spool.putBody(run, 0, () => piecesOf(bytes))
  const file = join(folder, 'spool', `${harmed.id}.1.0.body`)
  writeFileSync(
    file,
    readFileSync(file).map((byte, at) => (at === 500_000 ? byte ^ 1 : byte)),
  )
  expect(await spool.openBody(harmed, 0)).toBeNull()
  expect(files()).toContain(`${harmed.id}.1.0.body.unreadable`)
  const content = await spool.openBody(whole, 0)
  expect(content).toMatchObject({ bytes: MEBIBYTE, sha256: createHash('sha256').update(bytes).digest() })
  await spool.remove(whole)
  expect(content && (await buffer(content.pieces()))).toEqual(bytes)
  await content?.close()
})

test('keeps nothing of a run that is removed while its body is written', async () => {
  const spool = await open()
  const run = newRun()
  const stored = spool.putBody(run, 0, async function* () {
    yield randomBytes(1_000)
    await spool.remove(run)
    yield randomBytes(1_000)
  })
  expect([await stored, files()]).toEqual([false, []])
  // All of the space is free again.
  expect(await spool.putBody(newRun(), 0, () => piecesOf(randomBytes(15.9 * MEBIBYTE)))).toBe(true)
})

test('does not read files of another key, or under another name', async () => {
  const run = newRun()
  await (await open()).putResult(run, Buffer.from('mine'))
  const [file] = files() as [string]
  const moved = file.replace(run.id, randomUUID())
  writeFileSync(join(folder, 'spool', moved), readFileSync(join(folder, 'spool', file)))
  const [foreign] = [...(await open(undefined, randomBytes(32))).results()]
  const spool = await open()
  const other = [...spool.results()].find(({ id }) => moved.includes(id))
  expect(other && (await spool.readResult(other))).toBeNull()
  expect(foreign).toBeDefined()
})

test('keeps results in memory while the disk refuses them', async () => {
  const spool = await open()
  // A file in place of the folder refuses every write, also to root.
  rmSync(join(folder, 'spool'), { recursive: true })
  writeFileSync(join(folder, 'spool'), '')
  const run = newRun()
  expect(await spool.putResult(run, Buffer.from('kept'))).toBe(true)
  const [result] = [...spool.results()]
  expect(result && (await spool.readResult(result))?.toString()).toBe('kept')
  await spool.remove(run)
  expect(spool.size()).toBe(0)

  rmSync(join(folder, 'spool'))
  mkdirSync(join(folder, 'spool'))
  await spool.putResult(newRun(), Buffer.from('on disk again'))
  expect(files()).toHaveLength(1)
})
