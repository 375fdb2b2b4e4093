import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  from: string
  to: string[]
  /** Unfolded, as they were sent. */
  headers: Record<string, string>
  subject: string
  text: string
  /** Null for a mail of text only. */
  html: string | null
  /** The content type of each part. */
  types: string[]
}

export type MailServer = {
  port: number
  mails: ReceivedMail[]
  /** Its response to a recipient; 250 accepts the mail. */
  answer: (code: number, text?: string) => void
  close: () => Promise<void>
}

/** A mail server on loopback that records its mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let answer = { code: 250, text: 'recipient' }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo(_address, _session, callback) {
      if (answer.code === 250) callback()
      else callback(Object.assign(new Error(answer.text), { responseCode: answer.code }))
    },
    onData(stream, { envelope }, callback) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      buffer(stream)
        .then(async (source) => mails.push({ from, to, ...(await parse(source)) }))
        .then(() => callback(), callback)
    },
  })
  // A client that disconnects early is not the server's failure.
  server.on('error', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    answer: (code, text = 'recipient') => {
      answer = { code, text }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function parse(source: Buffer): Promise<Omit<ReceivedMail, 'from' | 'to'>> {
  const { subject, text, html } = await PostalMime.parse(source)
  const raw = source.toString()
  return {
    headers: readHeaders(raw),
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? null,
    types: [...raw.matchAll(/^content-type: *([^;\s]+)/gim)].map(([, type]) => type as string),
  }
}

function readHeaders(source: string): Record<string, string> {
  const unfolded = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return Object.fromEntries(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
