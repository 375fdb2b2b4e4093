import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { type Input, type MutationPath, mutation, type Output } from './api.ts'
import { capitalized, fieldOf, isLimitOfDomains, type Problem, problemOf } from './problem.ts'
import { configureValidationMessages } from './validation-messages.ts'

// Only in the browser: the setting is global, and on the server it would change the API's reasons.
if (typeof window !== 'undefined') configureValidationMessages()

/** The field that shows a refusal, by its code; the code's own message is shown unless another is given. */
export type ErrorFields = Record<string, string | { field: string; message: string }>

/**
 * A form that sends one operation. The server's schema validates it. A refusal is shown as the error of the field that
 * it names (`details.field`, made by server/input-errors.ts), or is returned as `error` if the form has no such field.
 */
export function useOperationForm<Path extends MutationPath, Values extends Record<string, unknown>>(options: {
  path: Path
  initialValues: Values
  schema?: z.ZodType
  /** Converts the values to the operation's input. By default the input is the values. */
  toInput?: (values: Values) => Input<Path>
  onDone?: (output: Output<Path>, form: UseFormReturnType<Values>) => void
  errorFields?: ErrorFields
  /** Called first with every refusal. Returns true if the page shows the refusal itself. */
  onProblem?: (problem: Problem, form: UseFormReturnType<Values>) => boolean
}) {
  const form = useForm<Values>({
    initialValues: options.initialValues,
    ...(options.schema ? { validate: validatorOf(options.schema) } : {}),
  })
  const [shown, setShown] = useState<Error | null>(null)
  const send = useMutation({
    ...mutation(options.path),
    onMutate: () => setShown(null),
    onSuccess: (output) => options.onDone?.(output, form),
    onError: (error: Error) => {
      const problem = problemOf(error)
      if (options.onProblem?.(problem, form)) return
      const { field, message } = fieldErrorOf(problem, options.errorFields)
      const isField = field !== null && field in options.initialValues
      if (isField) form.setFieldError(field, message)
      // A field has no place for the link out of a limit.
      if (!isField || isLimitOfDomains(problem)) setShown(error)
    },
  })
  const submit = form.onSubmit((values) => {
    send.mutate(options.toInput ? options.toInput(values) : (values as unknown as Input<Path>))
  })
  return {
    form,
    submit,
    isPending: send.isPending,
    /** The refusal, unless a field shows it. */
    error: shown,
  }
}

/** Runs the schema and returns the reason for each invalid field. */
function validatorOf(schema: z.ZodType) {
  const check = schemaResolver(schema, { sync: true })
  return (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(check(values)).map(([field, reason]) => [field, capitalized(String(reason))]))
}

function fieldErrorOf(problem: Problem, errorFields: ErrorFields = {}): { field: string | null; message: string } {
  const known = errorFields[problem.code]
  if (typeof known === 'object') return known
  if (known !== undefined) return { field: known, message: problem.message }
  const { reason } = problem.details
  return { field: fieldOf(problem), message: typeof reason === 'string' ? capitalized(reason) : problem.message }
}
