import { afterEach, expect, test } from 'vitest'
import { withAdmission } from '#server/http/admission.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Starts requests that are in flight until `ends` are called. */
function flood(caller: string, count: number): Promise<void>[] {
  return Array.from({ length: count }, () =>
    withAdmission(caller, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
}

const REFUSED = { api: 'service_unavailable', status: 503, headers: { 'Retry-After': '2' } }
const ask = (caller: string) => withAdmission(caller, async () => 'served')

test('an organization has at most 100 requests in flight, and others are served', async () => {
  const running = flood('one', 100)
  await expect(ask('one')).rejects.toMatchObject(REFUSED)
  expect(await ask('other')).toBe('served')
  for (const end of ends.splice(0)) end()
  await Promise.all(running)
  expect(await ask('one')).toBe('served')
})

test('a process has at most 300 requests in flight', async () => {
  const running = ['a', 'b', 'c', 'd'].flatMap((caller) => flood(caller, 75))
  await expect(ask('other')).rejects.toMatchObject(REFUSED)
  for (const end of ends.splice(0)) end()
  await Promise.all(running)
  expect(await ask('other')).toBe('served')
})
