import { z } from 'zod'

/** What forms say about a value that a schema refuses, where the schema itself says nothing. */
export function configureValidationMessages(): void {
  z.config({
    customError(issue) {
      switch (issue.code) {
        case 'invalid_type':
          return issue.input === undefined || issue.input === null || issue.input === '' ? 'Required' : 'Not valid'
        case 'too_small':
          if (issue.origin === 'string')
            return issue.minimum === 1 ? 'Required' : `At least ${issue.minimum} characters`
          return `At least ${issue.minimum}`
        case 'too_big':
          return issue.origin === 'string' ? `At most ${issue.maximum} characters` : `At most ${issue.maximum}`
        case 'invalid_format':
          return issue.format === 'email' ? 'Not an email address' : 'Not valid'
        default:
          return undefined
      }
    },
  })
}
