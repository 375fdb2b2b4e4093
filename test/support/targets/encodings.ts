import type { Octets } from './addresses.ts'

type Encode = (octets: Octets, port: number) => string

/** Spellings of an IPv4 address in a URL that some URL parser accepts as that address. */
export const ENCODINGS: Record<string, Encode> = {
  dotted: (o, port) => host(o.join('.'), port),
  'trailing dot': (o, port) => host(`${o.join('.')}.`, port),
  decimal: (o, port) => host(String(number(o)), port),
  hexadecimal: (o, port) => host(`0x${number(o).toString(16)}`, port),
  'upper-case hexadecimal': (o, port) => host(`0X${number(o).toString(16).toUpperCase()}`, port),
  'padded hexadecimal': (o, port) => host(`0x00000000${number(o).toString(16).padStart(8, '0')}`, port),
  octal: (o, port) => host(`0${number(o).toString(8)}`, port),
  'dotted octal': (o, port) => host(o.map((n) => `0${n.toString(8)}`).join('.'), port),
  'padded dotted octal': (o, port) => host(o.map((n) => `000000${n.toString(8)}`).join('.'), port),
  'dotted hexadecimal': (o, port) => host(o.map((n) => `0x${n.toString(16)}`).join('.'), port),
  'mixed radix': ([a, b, c, d], port) => host(`0x${a.toString(16)}.0${b.toString(8)}.${c}.0x${d.toString(16)}`, port),
  'two parts': ([a, ...rest], port) => host(`${a}.${number([0, ...rest])}`, port),
  'three parts': ([a, b, c, d], port) => host(`${a}.${b}.${c * 256 + d}`, port),
  'two hexadecimal parts': ([a, ...rest], port) =>
    host(`0x${a.toString(16)}.0x${number([0, ...rest]).toString(16)}`, port),
  'full-width digits': (o, port) => host(digits(o.join('.'), 0xff10), port),
  'circled digits': (o, port) =>
    host(
      o.join('.').replace(/\d/g, (d) => (d === '0' ? '⓪' : shift(d, 0x245f))),
      port,
    ),
  'mathematical digits': (o, port) => host(digits(o.join('.'), 0x1d7ce), port),
  'ideographic full stop': (o, port) => host(o.join('。'), port),
  'full-width full stop': (o, port) => host(o.join('．'), port),
  'half-width full stop': (o, port) => host(o.join('｡'), port),
  'percent-encoded': (o, port) => host(o.join('.').replace(/./g, percent), port),
  'percent-encoded dots': (o, port) => host(o.join('%2E'), port),
  'line breaks inside': ([a, b, c, d], port) => host(`${a}.\n${b}\t.${c}\r\n.${d}`, port),
  'white space around': (o, port) => `\u0000 \t${host(o.join('.'), port)} \n`,
  backslashes: (o, port) => `http:\\\\${o.join('.')}:${port}\\status.example.com\\`,
  'no slashes': (o, port) => `hTTp:${o.join('.')}:${port}/@status.example.com/`,
  'public name as user': (o, port) => `http://status.example.com@${o.join('.')}:${port}/`,
  'public name behind a backslash': (o, port) => `http://${o.join('.')}:${port}\\@status.example.com/`,
  'public name in the fragment': (o, port) => `https://${o.join('.')}:${port}#@status.example.com/`,
  'mapped to IPv6': (o, port) => host(`[::ffff:${o.join('.')}]`, port),
  'mapped to IPv6, written out': (o, port) => host(`[0:0:0:0:0:FFFF:${groups(o)}]`, port),
  'IPv6 carriers': (o, port) => host(`[${carrier(o)}]`, port),
}

// Picks one of the ways to embed IPv4 in IPv6: compatible, NAT64, local NAT64, 6to4, translated.
function carrier(o: Octets): string {
  const forms = [`::${groups(o)}`, `64:ff9b::${groups(o)}`, `64:ff9b:1::${groups(o)}`, `2002:${groups(o)}::1`]
  return [...forms, `::ffff:0:${groups(o)}`][(o[0] + o[1] + o[2] + o[3]) % 5]!
}

function host(name: string, port: number): string {
  return `http://${name}:${port}/`
}

function number([a, b, c, d]: Octets): number {
  return ((a * 256 + b) * 256 + c) * 256 + d
}

function groups([a, b, c, d]: Octets): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function digits(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => shift(digit, zero))
}

function shift(digit: string, zero: number): string {
  return String.fromCodePoint(zero + Number(digit))
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
