import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The page that a browser shows while it cannot reach the installation. The service worker has the page in its own text,
// so that it stores nothing of the dashboard.

/** As often as the page asks whether the installation is back. */
const RETRY_MS = 5_000

const STYLE = `
:root { color-scheme: light dark; }
body { display: grid; place-items: center; min-height: 100dvh; margin: 0; padding: var(--space-4);
  box-sizing: border-box; background: var(--page); color: var(--text); font: var(--font-md)/1.5 var(--font); }
main { display: grid; gap: var(--space-3); justify-items: center; max-width: 32rem; text-align: center; }
svg { color: var(--text-quiet); }
h1 { margin: 0; font-size: var(--font-title); font-weight: var(--weight-strong); line-height: 1.3; }
p { margin: 0; color: var(--text-quiet); }
button { margin-top: var(--space-2); padding: var(--space-2) var(--space-4); border: 0; border-radius: var(--radius);
  color: var(--on-accent); background: var(--accent); font: inherit; font-size: var(--font-sm);
  font-weight: var(--weight-strong); cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`

// The scheme that the member chose is where the dashboard keeps it.
const SCRIPT = `
const chosen = localStorage.getItem('mantine-color-scheme-value')
if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen
const again = () => location.reload()
document.querySelector('button').addEventListener('click', again)
addEventListener('online', again)
setInterval(() => fetch('/api/health', { cache: 'no-store' }).then(again, () => {}), ${RETRY_MS})
`

const BODY = `<main>
<svg width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
 stroke-linejoin="round" aria-hidden="true"><path d="m2 2 20 20M5.8 5.8A7 7 0 0 0 9 19h8.5a4.5 4.5 0 0 0 1.3-.2M21.5 16.5A4.5
 4.5 0 0 0 17.5 10h-1.8A7 7 0 0 0 10 5.1"/></svg>
<h1>No connection</h1>
<p>Your browser cannot reach Soundline. The page opens by itself when the connection is back. Unless Soundline itself is down, your services are checked meanwhile.</p>
<button type="button">Try again</button>
</main>`

/** Returns the script of the service worker. */
export function offlineWorker(): string {
  const style = readFileSync(join(process.cwd(), 'app/tokens.css'), 'utf8') + STYLE
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>No connection – Soundline</title><style>${style}</style></head><body>${BODY}<script>${SCRIPT}</script></body></html>`
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
  return `const PAGE = ${JSON.stringify(html)}
const HEADERS = ${JSON.stringify(headers)}
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()))
self.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  if (mode !== 'navigate' || method !== 'GET' || new URL(url).pathname.startsWith('/api/')) return
  event.respondWith(open(event).catch(() => new Response(PAGE, { headers: HEADERS })))
})
async function open(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
