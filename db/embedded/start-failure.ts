/** A message of PostgreSQL's programs: the server's have a time and a level, those of initdb the program's name. */
const MESSAGE = /(?:^|\s)(PANIC|FATAL|ERROR|WARNING|LOG|HINT|DETAIL|initdb: error): +(.*)/
const FAILURES = ['PANIC', 'FATAL', 'initdb: error']
/** The server refuses a client, such as while it recovers. That is not why it ended. */
const REFUSED_CLIENT = /^the database system is /
/** Failures that only sum up; the reason is in a message before. */
const SUMMARY = /^could not create any (TCP\/IP|Unix-domain) sockets|^configuration file .* contains errors/
const REASON = /could not|syntax error|invalid|unrecognized|must be|outside the valid range/

type Message = { level: string; text: string }

/** Returns the message in the output of a program that says why it failed, with its detail; null without any output. */
export function failureIn(output: string): string | null {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const messages = lines.flatMap((line): Message[] => {
    const [, level, text = ''] = MESSAGE.exec(line) ?? []
    return level ? [{ level, text: text.trim() }] : []
  })
  const at = messages.findIndex(({ level, text }) => FAILURES.includes(level) && !REFUSED_CLIENT.test(text))
  const failure = messages[at]
  // What fails before the first message, such as a missing library, is a sentence over one or more lines.
  if (!failure) return lines.map((line) => line.trim()).join(' ') || null
  const reason = SUMMARY.test(failure.text) && messages.slice(0, at).find(({ text }) => REASON.test(text))
  if (reason) return reason.text
  const next = messages[at + 1]
  return next?.level === 'DETAIL' ? `${failure.text} (${next.text.replace(/\.$/, '')})` : failure.text
}
