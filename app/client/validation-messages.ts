import { z } from 'zod'

/** Sets zod's messages for invalid values, for schemas without their own. The setting applies to the whole process. */
export function configureValidationMessages(): void {
  z.config({
    customError(issue) {
      switch (issue.code) {
        case 'invalid_type':
          return issue.input === undefined || issue.input === null || issue.input === '' ? 'Required' : 'Invalid value'
        case 'too_small':
          if (issue.origin === 'string')
            return issue.minimum === 1 ? 'Required' : `Must be at least ${issue.minimum} characters`
          return `Must be at least ${issue.minimum}`
        case 'too_big':
          return issue.origin === 'string'
            ? `Must be at most ${issue.maximum} characters`
            : `Must be at most ${issue.maximum}`
        case 'invalid_format':
          return issue.format === 'email' ? 'Must be an email address' : 'Invalid value'
        default:
          return undefined
      }
    },
  })
}
