// The services of the installation on the screenshots: a shop, and the platform under it.

export type Outage = {
  /** When it began and how long it lasted, in minutes; without `minutes`, it lasts until now. */
  agoMinutes: number
  minutes?: number
  /** The answer of the last request of the script; `slow` multiplies its time instead. */
  status?: number
  slow?: number
  body?: unknown
}

export type PlannedService = {
  workspace: string
  project: string
  name: string
  label?: string
  everyMinutes: number
  script: string
  /** Earlier texts of the script, oldest first, with the minutes since the save of the text after it, and its author. */
  earlier?: { script: string; replacedMinutesAgo: number; by: string }[]
  /** Usual milliseconds of a response. */
  ms: number
  bodies?: Record<string, unknown>
  outages?: Outage[]
  isPaused?: boolean
}

const ORDER = { id: 48213, total: 59.9, currency: 'EUR', state: 'accepted', items: [{ sku: 'MUG-12', amount: 2 }] }
const CART = { id: 'c-7d1f', items: [{ sku: 'MUG-12', amount: 2, price: 29.95 }], total: 59.9, currency: 'EUR' }
const UNAVAILABLE = {
  error: 'payment_provider_unavailable',
  message: 'No connection to the payment provider after 3 attempts',
  retryAfterSeconds: 30,
}

const checkout = (orders: string, limit: number) => `// A visitor puts two mugs into the cart and orders them.
post("https://shop.example/api/cart", {
  body: json({ sku: "MUG-12", amount: 2 })
})
.expect(status: 201, totalDelayMs: ${limit})
.store({ "$$cart": this.body.id })

get("https://shop.example/api/cart/$$cart")
.expect(status: 200)
.assert({
  expect: [this.body.total eq 59.9],
  check: [count(this.body.items) eq 1]
})

post("https://shop.example/api/${orders}", {
  body: json({ cart: "$$cart", payment: "card" }),
  timeout: { ms: 5000 }
})
.expect(status: 201, headers: { "content-type": "application/json" })
.check(totalDelayMs: 1500)
.assert({ expect: [this.body.state eq "accepted"] })
`

const health = (url: string, ms: number) => `get("${url}")
.expect(status: 200)
.check(totalDelayMs: ${ms})
`

const page = (url: string, ms: number) => `get("${url}", {
  headers: { Accept: "text/html" }
})
.expect(status: 200, bodySize: "512kb")
.check(totalDelayMs: ${ms}, ttfb: ${Math.round(ms / 2)})
`

const list = (url: string, field: string, ms: number) => `get("${url}")
.expect(status: 200, totalDelayMs: ${ms * 5})
.check(totalDelayMs: ${ms})
.assert({ expect: [count(this.body.${field}) gt 0] })
`

const PRODUCTS = {
  items: [
    { sku: 'MUG-12', name: 'Mug, white' },
    { sku: 'TEE-03', name: 'T-shirt, blue' },
  ],
  total: 2,
}
const DAY = 1_440

const SHOP: Omit<PlannedService, 'workspace'>[] = [
  {
    project: 'Storefront',
    name: 'Checkout',
    label: 'critical',
    everyMinutes: 5,
    ms: 140,
    script: checkout('v2/orders', 2000),
    earlier: [
      { script: checkout('orders', 5000), replacedMinutesAgo: 24 * DAY, by: 'Ben Okafor' },
      { script: checkout('orders', 3000), replacedMinutesAgo: 11 * DAY, by: 'Mira Novak' },
      { script: checkout('orders', 2000), replacedMinutesAgo: 16, by: 'Ana Lima' },
    ],
    bodies: { cart: CART, 'c-7d1f': CART, orders: ORDER },
    outages: [
      { agoMinutes: 14, status: 503, body: UNAVAILABLE },
      { agoMinutes: 9 * DAY, minutes: 35, status: 502 },
      { agoMinutes: 19 * DAY, minutes: 20, status: 503, body: UNAVAILABLE },
    ],
  },
  {
    project: 'Storefront',
    name: 'Product search',
    everyMinutes: 10,
    ms: 240,
    script: list('https://shop.example/api/search?q=mug', 'items', 800),
    bodies: { search: PRODUCTS },
    earlier: [
      {
        script: list('https://shop.example/api/search?q=mug', 'items', 1000),
        replacedMinutesAgo: 5 * DAY,
        by: 'Ben Okafor',
      },
    ],
    outages: [{ agoMinutes: 190, slow: 4.6 }],
  },
  { project: 'Storefront', name: 'Home page', everyMinutes: 10, ms: 180, script: page('https://shop.example/', 1200) },
  {
    project: 'Storefront',
    name: 'Product page',
    everyMinutes: 15,
    ms: 210,
    script: page('https://shop.example/products/mug-12', 1200),
    outages: [{ agoMinutes: 4 * DAY + 300, minutes: 60, status: 500 }],
  },
  {
    project: 'Storefront',
    name: 'Images and styles',
    everyMinutes: 15,
    ms: 60,
    script: health('https://cdn.shop.example/assets/app.css', 400),
  },
  {
    project: 'Storefront',
    name: 'Old shop',
    everyMinutes: 30,
    ms: 420,
    script: page('https://old.shop.example/', 2000),
    isPaused: true,
  },
  {
    project: 'Payments',
    name: 'Card authorization',
    label: 'critical',
    everyMinutes: 10,
    ms: 260,
    script: `post("https://pay.shop.example/v1/authorizations", {
  body: json({ amount: 100, currency: "EUR", card: "test_visa" })
})
.expect(status: 201)
.check(totalDelayMs: 1500)
.assert({ expect: [this.body.state eq "authorized"] })
.store({ "$$id": this.body.id })

delete("https://pay.shop.example/v1/authorizations/$$id")
.expect(status: 204)
`,
    bodies: { authorizations: { id: 'au-9921', state: 'authorized', amount: 100 } },
    outages: [{ agoMinutes: 13 * DAY, minutes: 45, status: 500 }],
  },
  {
    project: 'Payments',
    name: 'Refunds',
    everyMinutes: 30,
    ms: 300,
    script: list('https://pay.shop.example/v1/refunds?limit=5', 'items', 1500),
    bodies: { refunds: PRODUCTS },
  },
  {
    project: 'Payments',
    name: 'Invoice download',
    everyMinutes: 30,
    ms: 520,
    script: health('https://invoices.shop.example/v1/invoices/sample.pdf', 2500),
  },
  {
    project: 'Customers',
    name: 'Sign-in',
    label: 'critical',
    everyMinutes: 10,
    ms: 190,
    script: `post("https://accounts.shop.example/session", {
  body: json({ email: "probe@shop.example", password: "probe" })
})
.expect(status: 201)
.store({ "$$token": this.body.token })

get("https://accounts.shop.example/me", {
  headers: { Authorization: "Bearer $$token" }
})
.expect(status: 200)
.assert({ expect: [this.body.email eq "probe@shop.example"] })
`,
    bodies: { session: { token: 'probe-token' }, me: { email: 'probe@shop.example', name: 'Probe' } },
  },
  {
    project: 'Customers',
    name: 'Newsletter',
    everyMinutes: 30,
    ms: 230,
    script: health('https://news.shop.example/health', 1000),
  },
]

const PLATFORM: Omit<PlannedService, 'workspace'>[] = [
  {
    project: 'Public API',
    name: 'Status endpoint',
    label: 'critical',
    everyMinutes: 10,
    ms: 45,
    script: health('https://api.platform.example/v1/status', 300),
    earlier: [
      {
        script: health('https://api.platform.example/v1/status', 500),
        replacedMinutesAgo: 2 * DAY,
        by: 'Mira Novak',
      },
    ],
    outages: [{ agoMinutes: 6 * DAY, minutes: 25, status: 503 }],
  },
  {
    project: 'Public API',
    name: 'List of orders',
    everyMinutes: 15,
    ms: 130,
    script: list('https://api.platform.example/v1/orders?limit=20', 'items', 600),
    bodies: { orders: PRODUCTS },
  },
  {
    project: 'Public API',
    name: 'OAuth token',
    everyMinutes: 15,
    ms: 95,
    script: `post("https://id.platform.example/oauth/token", {
  body: form({ grant_type: "client_credentials", client_id: "probe" })
})
.expect(status: 200)
.assert({ expect: [this.body.token_type eq "Bearer"] })
`,
    bodies: { token: { token_type: 'Bearer', access_token: 'short-lived', expires_in: 300 } },
  },
  {
    project: 'Operations',
    name: 'Event intake',
    everyMinutes: 15,
    ms: 80,
    script: `post("https://events.platform.example/intake", {
  body: json({ type: "probe" })
})
.expect(status: 202)
`,
  },
  {
    project: 'Operations',
    name: 'Container registry',
    everyMinutes: 30,
    ms: 150,
    script: health('https://registry.platform.example/v2/', 1000),
  },
  {
    project: 'Operations',
    name: 'Git hosting',
    everyMinutes: 30,
    ms: 170,
    script: health('https://git.platform.example/healthz', 1000),
  },
  {
    project: 'Operations',
    name: 'Internal dashboards',
    everyMinutes: 30,
    ms: 310,
    script: page('https://dash.platform.example/login', 1500),
    outages: [{ agoMinutes: 2 * DAY + 120, minutes: 95, status: 504 }],
  },
]

export const SERVICES: PlannedService[] = [
  ...SHOP.map((service) => ({ workspace: 'Shop', ...service })),
  ...PLATFORM.map((service) => ({ workspace: 'Platform', ...service })),
]

/** Verified domains, which allow scripts of several calls. */
export const DOMAINS = ['shop.example', 'platform.example']
export const PEOPLE = ['Ana Lima', 'Ben Okafor', 'Mira Novak']
/** The host whose certificate expires in a few days. */
export const EXPIRING_HOST = 'cdn.shop.example'
