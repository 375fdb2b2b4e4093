import { storeUrl, withoutCredentials } from '../../bodies/store.ts'
import type { Settings } from '../../process/settings.ts'

const NOT_SET = 'not set'

/** Returns the settings that matter to an operator, as this web process has them. Credentials and keys are left out. */
export function describeSettings(settings: Settings): { name: string; value: string }[] {
  const values: Record<string, unknown> = {
    BASE_URL: settings.BASE_URL ?? NOT_SET,
    DATABASE_URL: placeOf(settings.DATABASE_URL),
    DATABASE_SESSION_URL: placeOf(settings.DATABASE_SESSION_URL),
    DATABASE_READ_URL: placeOf(settings.DATABASE_READ_URL),
    DATABASE_READ_LAG_MAX_SECONDS: settings.DATABASE_READ_LAG_MAX_SECONDS,
    DATABASE_POOL_MAX: settings.DATABASE_POOL_MAX,
    BODY_STORE_URL: withoutCredentials(storeUrl(settings)),
    SECRET_KEYS: settings.SECRET_KEYS?.map(({ id }) => id).join(', ') ?? NOT_SET,
    SMTP_URL: placeOf(settings.SMTP_URL),
    MAIL_FROM: settings.MAIL_FROM,
    TRUSTED_PROXY_HOPS: settings.TRUSTED_PROXY_HOPS,
    TRUSTED_DOMAIN_MODE: settings.TRUSTED_DOMAIN_MODE,
    PROBE_ALLOWED_NETWORKS: settings.PROBE_ALLOWED_NETWORKS.join(' ') || NOT_SET,
    PROBE_CA_FILE: settings.PROBE_CA_FILE ?? NOT_SET,
    RATE_LIMIT_ENABLED: settings.RATE_LIMIT_ENABLED,
    RESULT_RETENTION_DAYS: settings.RESULT_RETENTION_DAYS,
    BODY_RETENTION_DAYS: settings.BODY_RETENTION_DAYS,
    WORKER_STALE_SECONDS: settings.WORKER_STALE_SECONDS,
    PROBE_RUN_TIMEOUT: settings.PROBE_RUN_TIMEOUT,
    // Some receivers take a key in the path.
    OTEL_EXPORTER_OTLP_ENDPOINT: URL.parse(settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? '')?.host ?? NOT_SET,
  }
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }))
}

/** Returns host, port and path of a URL, without user, password and parameters. */
function placeOf(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  return url ? `${url.host}${url.pathname.replace(/^\/$/, '')}` : NOT_SET
}
