// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other programs

// Files of other programs, as they export them, with what carries over and what does not.

export const CURL = `# health of the shop
curl -sS https://shop.example.com/health -H 'Authorization: Bearer abc-token'

curl -X POST https://shop.example.com/cart \\
  --json '{"item": "book", "price": "$five"}'
curl -I https://shop.example.com/
`

export const HAR = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        request: { method: 'GET', url: 'https://shop.example.com/', headers: [{ name: 'Accept', value: 'text/html' }] },
        response: { status: 200, content: { mimeType: 'text/html' } },
      },
      {
        request: { method: 'GET', url: 'https://shop.example.com/logo.png', headers: [] },
        response: { status: 200, content: { mimeType: 'image/png' } },
      },
      {
        request: {
          method: 'POST',
          url: 'https://shop.example.com/login',
          headers: [],
          postData: { mimeType: 'application/json', text: '{"user":"a","password":"hunter2"}' },
        },
        response: { status: 201, content: { mimeType: 'application/json' } },
      },
    ],
  },
})

export const OPENAPI = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /orders:
    get:
      parameters: [{ name: limit, in: query, required: true, schema: { type: integer, default: 5 } }]
      responses: { "200": { description: ok } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { item: { type: string } } } } } }
      responses: { "201": { description: made } }
`

export const POSTMAN = JSON.stringify({
  info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  variable: [
    { key: 'base-url', value: 'https://shop.example.com' },
    { key: 'token', value: 'tok-123', type: 'secret' },
  ],
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  item: [
    {
      name: 'Orders',
      item: [
        {
          name: 'List "all"',
          request: {
            method: 'GET',
            header: [
              { key: 'X-Trace', value: '{{trace_id}}' },
              { key: 'X-Off', value: '1', disabled: true },
            ],
            url: { raw: '{{base-url}}/orders/:id?q=1', variable: [{ key: 'id', value: '7' }] },
          },
          event: [
            {
              listen: 'test',
              script: { exec: ['pm.test("s", () => pm.response.to.have.status(202));', 'pm.expect(1).to.eql(1);'] },
            },
            { listen: 'prerequest', script: { exec: ['pm.variables.set("x", 1)'] } },
          ],
        },
        {
          name: 'Create',
          request: {
            method: 'POST',
            auth: {
              type: 'basic',
              basic: [
                { key: 'username', value: 'u' },
                { key: 'password', value: 'pass-9' },
              ],
            },
            header: [],
            body: { mode: 'raw', raw: '{"sum": 3, "note": "{{token}}"}', options: { raw: { language: 'json' } } },
            url: '{{base-url}}/orders',
          },
        },
        {
          name: 'Upload',
          request: {
            method: 'POST',
            body: { mode: 'formdata', formdata: [{ key: 'a', value: '1' }] },
            url: 'shop.example.com/up',
          },
        },
      ],
    },
    { name: 'Dynamic', request: { method: 'GET', url: 'https://shop.example.com/{{$guid}}' } },
  ],
})

export const KUMA = JSON.stringify({
  version: '1.23.11',
  notificationList: [{ id: 1, name: 'Slack', config: '{}' }],
  monitorList: [
    {
      ...{
        id: 1,
        name: 'Shop',
        type: 'http',
        url: 'https://shop.example.com',
        method: 'GET',
        interval: 60,
        maxretries: 2,
      },
      ...{ accepted_statuscodes: ['200-299', '301'], active: true, ignoreTls: true, maxredirects: 3, timeout: 48 },
      ...{ headers: '{"X-Api-Key": "key-77"}', body: null, tags: [{ name: 'prod' }, { name: 'web' }] },
      ...{ basic_auth_user: 'admin', basic_auth_pass: 'pass-8', authMethod: 'basic', notificationIDList: { 1: true } },
    },
    {
      ...{ id: 2, name: 'Shop', type: 'keyword', url: 'https://shop.example.com/home', method: 'GET', interval: 90 },
      ...{
        keyword: 'Say "hi" $you',
        invertKeyword: true,
        active: false,
        accepted_statuscodes: ['200-299'],
        maxredirects: 0,
      },
    },
    {
      ...{
        id: 3,
        name: 'Stock',
        type: 'json-query',
        url: 'https://shop.example.com/stock',
        method: 'GET',
        interval: 300,
      },
      ...{ jsonPath: '$.stock.left', jsonPathOperator: '>=', expectedValue: '3', active: 1 },
    },
    {
      id: 4,
      name: 'Odd',
      type: 'json-query',
      url: 'https://shop.example.com',
      interval: 3600,
      jsonPath: '$..x[?(@.a)]',
      expectedValue: '1',
    },
    { id: 5, name: 'Router', type: 'ping', hostname: '192.0.2.1', interval: 60 },
    { id: 6, name: 'Head', type: 'http', method: 'HEAD', url: 'https://shop.example.com', interval: 60 },
  ],
})

export const GATUS = `alerting:
  slack: { webhook-url: "https://hooks.example/secret" }
endpoints:
  - name: front-end
    group: core
    url: "https://shop.example.com/health"
    interval: 5m
    headers: { Authorization: "Bearer \${SHOP_TOKEN}" }
    client: { insecure: true, ignore-redirect: true, timeout: 10s, oauth2: { client-id: x } }
    conditions:
      - "[STATUS] == any(200, 429)"
      - "[STATUS] < 300"
      - "[RESPONSE_TIME] < 500"
      - "[BODY].status == UP"
      - "[BODY].name == pat(*shop*)"
      - "len([BODY].items) > 0"
      - "has([BODY].errors) == false"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[BODY].date == pat(20?0-*)"
    alerts: [{ type: slack, failure-threshold: 4, send-on-resolved: true }]
  - name: graph
    url: https://shop.example.com/graphql
    graphql: true
    method: POST
    body: "{ me { id } }"
    interval: 45s
    enabled: false
    conditions: ["[CONNECTED] == true"]
  - name: dns
    url: "8.8.8.8"
    dns: { query-name: example.com, query-type: A }
    conditions: ["[DNS_RCODE] == NOERROR"]
`

export const CHECKLY = JSON.stringify([
  {
    ...{ id: 'a', checkType: 'API', name: 'Books', frequency: 10, activated: true, tags: ['prod', 'api'] },
    ...{ locations: ['eu-west-1'], maxResponseTime: 20000, degradedResponseTime: 5000, shouldFail: false },
    environmentVariables: [
      { key: 'REGION', value: 'eu', locked: false },
      { key: 'PASSWORD', value: 'pass-7', locked: true },
    ],
    localSetupScript: 'request.headers.x = 1',
    request: {
      ...{ method: 'POST', url: '{{SHOP_URL}}/books?region={{REGION}}', followRedirects: true, skipSSL: true },
      headers: [{ key: 'X-Api-Key', value: 'key-55', locked: true }],
      queryParameters: [{ key: 'q', value: 'a b&{{REGION}}' }],
      ...{ bodyType: 'JSON', body: '{"password": "{{PASSWORD}}"}' },
      basicAuth: { username: 'u', password: 'pass-6' },
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '201' },
        { source: 'JSON_BODY', property: '$.first.name', comparison: 'CONTAINS', target: 'boo"k' },
        { source: 'JSON_BODY', property: '$.items', comparison: 'NOT_EMPTY', target: '' },
        { source: 'HEADERS', property: 'Content-Type', comparison: 'EQUALS', target: 'application/json' },
        { source: 'HEADERS', property: 'Server', comparison: 'CONTAINS', target: 'ngi$nx' },
        { source: 'HEADERS', property: 'X-Cache', comparison: 'NOT_EMPTY', target: '' },
        { source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '900' },
        { source: 'TEXT_BODY', comparison: 'EQUALS', target: '42', regex: '(\\d+)' },
        { source: 'JSON_BODY', property: '$.items[*].id', comparison: 'EQUALS', target: '1' },
      ],
    },
  },
  { checkType: 'BROWSER', name: 'Home page', frequency: 5, script: 'await page.goto()' },
  { checkType: 'TCP', name: 'Port', frequency: 5, request: { hostname: 'x', port: 1 } },
])

/** As constructs are synthesized. */
export const CHECKLY_CONSTRUCTS = JSON.stringify({
  project: { name: 'shop' },
  resources: [
    {
      type: 'check',
      logicalId: 'plain-check',
      payload: {
        ...{ checkType: 'API', name: 'Plain', activated: false, frequency: 0, frequencyOffset: 30 },
        request: { method: 'GET', url: 'https://shop.example.com', assertions: [] },
      },
    },
    { type: 'alert-channel', logicalId: 'mail', payload: { type: 'EMAIL' } },
  ],
})
