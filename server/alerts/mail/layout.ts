import { type ListItem, type MailBlock, type MailContent, type MailLink, quotedLines, type Tone } from './content.ts'
import { type Html, html } from './html.ts'
import { onOneLine } from './text.ts'

// HTML of mails: tables and inline styles, because mail clients drop most other things. The style sheet has only the
// colours of the dark scheme; a client that drops it shows the light one. Nothing is loaded from anywhere.

const SANS = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"

const COLORS: Record<Tone, string> = { bad: '#c92a2a', good: '#087f5b', warning: '#a84300' }
const TEXT = '#212529'
const MUTED = '#495057'
const LINE = '#dee2e6'
const LINK = '#006371'

const DARK = html`
  .page, body { background: #141517 !important; }
  .card { background: #1f2124 !important; border-right-color: #373a40 !important; border-bottom-color: #373a40 !important; border-left-color: #373a40 !important; }
  .text, .title { color: #e9ecef !important; }
  .muted { color: #adb5bd !important; }
  .line { border-color: #373a40 !important; }
  .code { background: #141517 !important; color: #e9ecef !important; border-color: #373a40 !important; }
  .link { color: #76bac6 !important; }
  .second { color: #e9ecef !important; border-color: #5c6168 !important; }
  .dot-bad { color: #ff8787 !important; }
  .dot-good { color: #63e6be !important; }
  .dot-warning { color: #ffc078 !important; }`

export function renderHtml(content: MailContent, subject: string): string {
  const { tone, label, title, where, blocks, footer } = content
  const color = COLORS[tone]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${subject}</title>
<style>:root { color-scheme: light dark; } @media (prefers-color-scheme: dark) {${DARK}
}</style>
</head>
<body style="margin:0; padding:0; background:#f1f3f5;">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f1f3f5;">
<tr><td align="center" style="padding:24px 12px;">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px; background:#ffffff; border:1px solid ${LINE}; border-top:4px solid ${color}; border-radius:8px; font-family:${SANS};">
<tr><td style="padding:24px 24px 4px;">
<span style="display:inline-block; padding:2px 10px; border-radius:10px; background:${color}; color:#ffffff; font-size:12px; line-height:18px; font-weight:600;">${label}</span>
<span class="muted" style="padding-left:6px; font-size:13px; line-height:20px; color:${MUTED};">${onOneLine(where)}</span>
<h1 class="title" style="margin:10px 0 0; font-size:20px; line-height:28px; font-weight:650; color:${TEXT}; overflow-wrap:anywhere;">${onOneLine(title)}</h1>
</td></tr>
${blocks.map(blockHtml)}
<tr><td style="padding:16px 24px 24px;">
<div class="line muted" style="border-top:1px solid ${LINE}; padding-top:14px; font-size:12px; line-height:19px; color:${MUTED}; overflow-wrap:anywhere;">
${footer.map(({ text, link }) => (link ? html`<div style="line-height:28px;">${anchor(link)}</div>\n` : html`<div>${onOneLine(text)}</div>\n`))}</div>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text
}

function blockHtml(block: MailBlock): Html {
  switch (block.kind) {
    case 'facts':
      return section(html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${block.rows.map(factHtml)}</table>`)
    case 'quote':
      return section(html`${labelHtml(block.label)}
<div class="code" style="padding:10px 12px; background:#f8f9fa; border:1px solid ${LINE}; border-radius:6px; font-family:${MONO}; font-size:12px; line-height:18px; color:${TEXT}; overflow-wrap:anywhere; white-space:pre-wrap;">${quotedLines(block.text).map((line, index) => html`${index > 0 ? html`<br>` : ''}${line}`)}</div>`)
    case 'list':
      return section(html`${labelHtml(block.label)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${block.items.map(itemHtml)}</table>${
        block.more
          ? html`
<div class="muted" style="padding-top:8px; font-size:13px; line-height:20px; color:${MUTED};">${block.more}</div>`
          : ''
      }`)
    case 'links':
      return section(html`<div style="padding-top:4px;">${block.links.map(buttonHtml)}</div>`)
  }
}

function section(content: Html): Html {
  return html`<tr><td style="padding:14px 24px 0;">${content}</td></tr>\n`
}

function labelHtml(label: string): Html {
  return html`<div class="muted" style="padding-bottom:6px; font-size:12px; line-height:18px; font-weight:600; color:${MUTED};">${label}</div>`
}

function factHtml([label, value]: [string, string]): Html {
  return html`<tr>
<td class="muted" width="116" valign="top" style="padding:3px 12px 3px 0; font-size:13px; line-height:20px; color:${MUTED};">${label}</td>
<td class="text" valign="top" style="padding:3px 0; font-size:14px; line-height:20px; color:${TEXT}; overflow-wrap:anywhere;">${onOneLine(value)}</td>
</tr>
`
}

function itemHtml({ tone, title, detail, url }: ListItem): Html {
  const name = url ? anchor({ label: onOneLine(title), url }) : html`${onOneLine(title)}`
  const below = html`<div class="muted" style="font-size:13px; line-height:19px; color:${MUTED}; font-weight:400;">${onOneLine(detail ?? '')}</div>`
  return html`<tr>
<td class="dot-${tone}" width="16" valign="top" style="padding:4px 8px 4px 0; font-size:14px; line-height:20px; color:${COLORS[tone]};">${MARKS[tone]}</td>
<td class="text" valign="top" style="padding:4px 0; font-size:14px; line-height:20px; font-weight:600; color:${TEXT}; overflow-wrap:anywhere;">${name}${detail ? below : ''}</td>
</tr>
`
}

/** Marks that differ in shape, not only in colour. */
const MARKS: Record<Tone, string> = { bad: '✕', good: '✓', warning: '!' }

function anchor({ label, url }: MailLink): Html {
  return html`<a class="link" href="${url}" style="color:${LINK};">${label}</a>`
}

function buttonHtml({ label, url }: MailLink, index: number): Html {
  const look =
    index === 0
      ? html`background:#037282; border:1px solid #037282; color:#ffffff;`
      : html`border:1px solid #868e96; color:${TEXT};`
  return html`<a class="${index === 0 ? 'first' : 'second'}" href="${url}" style="display:inline-block; margin:0 8px 8px 0; padding:8px 16px; border-radius:6px; font-size:14px; line-height:20px; font-weight:600; text-decoration:none; ${look}">${label}</a>`
}
