import { expect, test } from 'vitest'
import { storeOnce } from '#server/bodies/store-once.ts'

const BYTES = Buffer.from('ok')
const HOUR_MS = 3_600_000

/** A store that keeps the keys it is sent, and fails while `isDown`. */
function recordingStore() {
  const sent: string[] = []
  const state = { isDown: false, now: 0 }
  const store = storeOnce(
    {
      async put(key) {
        if (state.isDown) throw new Error('the store is down')
        sent.push(key)
      },
    },
    () => state.now,
  )
  return { put: (key: string) => store.put(key, BYTES), sent, state }
}

test('a body is stored once an hour', async () => {
  const { put, sent, state } = recordingStore()
  for (const at of [0, 1, HOUR_MS - 1]) {
    state.now = at
    await put('day/a')
  }
  await put('day/b')
  expect(sent).toEqual(['day/a', 'day/b'])
  state.now = HOUR_MS
  await put('day/a')
  await put('day/a')
  await put('day/b')
  expect(sent).toEqual(['day/a', 'day/b', 'day/a'])
})

test('a body that could not be stored is stored at the next attempt', async () => {
  const { put, sent, state } = recordingStore()
  state.isDown = true
  await expect(put('day/a')).rejects.toThrow('the store is down')
  state.isDown = false
  await put('day/a')
  expect(sent).toEqual(['day/a'])
})

test('ten thousand keys are remembered, and the first of more is forgotten', async () => {
  const { put, sent } = recordingStore()
  const keys = Array.from({ length: 10_001 }, (_, i) => `day/${i}`)
  for (const key of keys) await put(key)
  await put('day/1')
  expect(sent.length).toBe(10_001)
  await put('day/0')
  expect(sent.length).toBe(10_002)
})
