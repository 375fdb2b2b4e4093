import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SettingsError } from '#server/process/environment.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Reads the certificate authorities of `PROBE_CA_FILE`, in PEM. Returns none without a file.
 * @throws SettingsError when the file cannot be read, has no certificate, or has one that is not valid
 */
export function readAuthorities(file: string | undefined): string[] {
  if (file === undefined) return []
  const certificates = readText(file).match(CERTIFICATE) ?? []
  if (certificates.length === 0) {
    throw new SettingsError(`PROBE_CA_FILE: ${file} has no certificate in PEM (-----BEGIN CERTIFICATE-----)`)
  }
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch {
      throw new SettingsError(`PROBE_CA_FILE: certificate ${index + 1} in ${file} is not valid`)
    }
  }
  return certificates
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(`PROBE_CA_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
