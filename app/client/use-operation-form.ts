import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { type Input, type MutationPath, mutation, type Output } from './api.ts'
import { capitalized, fieldOf, type Problem, problemOf } from './problem.ts'

/**
 * A form that is one operation: checked by the server's own schema, sent, and its refusal shown at the field it names
 * or, where it names none of the form's, as `problem`.
 */
export function useOperationForm<Path extends MutationPath, Values extends Record<string, unknown>>(options: {
  path: Path
  initialValues: Values
  schema?: z.ZodType
  /** The operation's input from what the form holds; the values themselves unless said. */
  toInput?: (values: Values) => Input<Path>
  onDone?: (output: Output<Path>, form: UseFormReturnType<Values>) => void
  /** Hears of a refusal first; true says that the page shows it in its own way. */
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
      const isHandled = options.onProblem?.(problem, form) ?? false
      const field = fieldOf(problem)
      const isAtField = !isHandled && field !== null && field in options.initialValues
      if (isAtField) form.setFieldError(field, reasonOf(problem))
      setShown(isHandled || isAtField ? null : error)
    },
  })
  const submit = form.onSubmit((values) => {
    send.mutate(options.toInput ? options.toInput(values) : (values as unknown as Input<Path>))
  })
  return {
    form,
    submit,
    isPending: send.isPending,
    /** The refusal, unless a field of the form shows it. */
    error: shown,
  }
}

/** What the schema holds against the values, as forms show it. */
function validatorOf(schema: z.ZodType) {
  const check = schemaResolver(schema, { sync: true })
  return (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(check(values)).map(([field, reason]) => [field, capitalized(String(reason))]))
}

function reasonOf(problem: Problem): string {
  return typeof problem.details.reason === 'string' ? capitalized(problem.details.reason) : problem.message
}
