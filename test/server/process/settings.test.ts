import { expect, test } from 'vitest'
import { SettingsError } from '#server/process/environment.ts'
import { parseSettings } from '#server/process/settings.ts'

test.each([
  ['PORT', '99999', 'must be at most 65535'],
  ['WORKER_CONCURRENCY', '0', 'must be at least 1'],
  ['ORGANIZATIONS_PER_ACCOUNT_MAX', '0', 'must be at least 1'],
  ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'],
  ['SETUP_EMAIL', 'nobody', 'must be an email address'],
  ['SETUP_PASSWORD', 'short', 'must be at least 8 characters long'],
  ['BASE_URL', 'probes.example.com', 'must be a URL such as https://probes.example.com'],
  ['DATABASE_URL', 'mysql://host/name', 'must be a URL such as postgres://user:password@host:5432/name'],
  ['DATABASE_URL', 'postgres://host/name?sslmode=maybe', 'sslmode must be disable, prefer, require, verify-ca or'],
  ['SMTP_URL', 'mail.example.com', 'must be a URL such as smtps://user:password@mail.example.com'],
  ['BODY_STORE_URL', 'ftp://host/', 'must be a URL that begins with file:, s3:, https: or http:'],
])('%s=%s is refused with its reason', (name, value, reason) => {
  const refused = () => parseSettings({ [name]: value })
  expect(refused).toThrow(SettingsError)
  expect(refused).toThrow(`${name}: ${reason}`)
})
