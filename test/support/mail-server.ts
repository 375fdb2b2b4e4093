import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export type ReceivedMail = { from: string; to: string[]; headers: Record<string, string>; text: string }

export type MailServer = {
  port: number
  mails: ReceivedMail[]
  /** What it says to a recipient; 250 takes the mail. */
  answer: (code: number) => void
  close: () => Promise<void>
}

/** A mail server on loopback that keeps what it is given. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let code = 250
  const server = createServer((socket) => converse(socket, mails, () => code))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as { port: number }).port,
    mails,
    answer: (given) => {
      code = given
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function converse(socket: Socket, mails: ReceivedMail[], answer: () => number): void {
  let rest = ''
  let data: string[] | null = null
  let from = ''
  let to: string[] = []
  const say = (line: string) => socket.write(`${line}\r\n`)
  socket.on('error', () => {})
  say('220 test')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (data) {
        if (line !== '.') {
          data.push(line.replace(/^\.\./, '.'))
          continue
        }
        mails.push({ from, to, ...parse(data) })
        data = null
        to = []
        say('250 taken')
      } else if (/^(EHLO|HELO|RSET|NOOP)/i.test(line)) say('250 test')
      else if (/^MAIL FROM/i.test(line)) {
        from = /<(.*?)>/.exec(line)?.[1] ?? ''
        say('250 ok')
      } else if (/^RCPT TO/i.test(line)) {
        const code = answer()
        if (code === 250) to.push(/<(.*?)>/.exec(line)?.[1] ?? '')
        say(`${code} recipient`)
      } else if (/^DATA/i.test(line)) {
        data = []
        say('354 go on')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else say('502 unknown')
    }
  })
}

function parse(lines: string[]): Pick<ReceivedMail, 'headers' | 'text'> {
  const blank = lines.indexOf('')
  const unfolded = lines
    .slice(0, blank)
    .join('\r\n')
    .replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = Object.fromEntries(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = lines.slice(blank + 1).join('\n')
  if (headers['content-transfer-encoding'] === 'base64') {
    return { headers, text: Buffer.from(body, 'base64').toString() }
  }
  if (headers['content-transfer-encoding'] !== 'quoted-printable') return { headers, text: body }
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { headers, text: Buffer.from(bytes, 'latin1').toString() }
}
