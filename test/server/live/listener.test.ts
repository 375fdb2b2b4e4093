import { expect, test } from 'vitest'
import { parseDatabaseUrl } from '#db/database-url.ts'
import { Listener } from '#server/live/listener.ts'
import { testDatabase } from '#test/support/database.ts'

const database = testDatabase()

test('a listener that is closed while it connects ends its connection, and says nothing', async () => {
  const heard: string[] = []
  const listener = new Listener({
    ...{ target: parseDatabaseUrl(database.url), name: 'listener', channel: 'changes' },
    onNotification: () => heard.push('notification'),
    onListening: () => heard.push('listening'),
    onLost: () => heard.push('lost'),
  })
  await listener.close()
  expect(heard).toEqual([])
})
