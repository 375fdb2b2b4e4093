import { expect, test } from 'vitest'
import { storeOnce } from '#server/bodies/store-once.ts'

const BYTES = Buffer.from('ok')
const REMEMBERED_MS = 600_000

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

test('a body is stored once in ten minutes', async () => {
  const { put, sent, state } = recordingStore()
  for (const at of [0, 1, REMEMBERED_MS - 1]) {
    state.now = at
    await put('day/a')
  }
  await put('day/b')
  expect(sent).toEqual(['day/a', 'day/b'])
  state.now = REMEMBERED_MS
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

test('after a failure everything is stored again, because the store may have lost its content', async () => {
  const { put, sent, state } = recordingStore()
  await put('day/a')
  state.isDown = true
  await expect(put('day/b')).rejects.toThrow('the store is down')
  state.isDown = false
  await put('day/a')
  expect(sent).toEqual(['day/a', 'day/a'])
})

test('twenty thousand keys are remembered, and the first of more is forgotten', async () => {
  const { put, sent } = recordingStore()
  const keys = Array.from({ length: 20_001 }, (_, i) => `day/${i}`)
  for (const key of keys) await put(key)
  await put('day/1')
  expect(sent.length).toBe(20_001)
  await put('day/0')
  expect(sent.length).toBe(20_002)
})
