import { expect, test } from 'vitest'
import { sendRequest } from '#worker/tasks/deliveries/send.ts'

test('a request to a URL that is not valid fails like one whose response is invalid, and is not sent', async () => {
  const sent: unknown[] = []
  const transport = async (request: unknown) => {
    sent.push(request)
    throw new Error('sent')
  }
  const request = { method: 'POST' as const, url: 'http://[/', headers: [], body: '{}' }
  const failure = { name: 'TransportError', failure: 'protocol', message: 'the URL is not valid' }
  await expect(sendRequest(transport, request, null)).rejects.toMatchObject(failure)
  expect(sent).toEqual([])
})
