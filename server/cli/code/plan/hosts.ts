/** Whether two lists of host patterns mean the same. The server stores names in lower case and in ASCII. */
export function sameHosts(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [normalized(a), normalized(b)]
  return left.length === right.length && left.every((host, index) => host === right[index])
}

function normalized(patterns: readonly string[]): string[] {
  return [...new Set(patterns.map(normalizedPattern))].sort()
}

function normalizedPattern(text: string): string {
  const [, wildcard = '', name = '', port = ''] = /^(\*\.)?(.*?)(:\d+)?$/.exec(text.trim()) ?? []
  const url = `http://${name}/`
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : name.toLowerCase()
  return `${wildcard}${host}${port.replace(/^:0*/, ':')}`
}
