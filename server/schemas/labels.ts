import { z } from 'zod'
import { LABEL_MAX, LineOfText } from './conventions.ts'

/** The most labels of a service. */
export const LABELS_MAX = 10

/** The labels of a service, each once. The first is its `label`. */
export const Labels = z
  .array(LineOfText.min(1).max(LABEL_MAX))
  .max(LABELS_MAX)
  .superRefine((labels, check) => {
    for (const [index, label] of labels.entries()) {
      if (labels.indexOf(label) < index) {
        check.addIssue({ code: 'custom', path: [index], message: 'must not be given twice' })
      }
    }
  })
  .meta({
    description: `The labels, at most ${LABELS_MAX}, each once: they replace all that the service has. The first is \`label\`. An empty array clears them.`,
    example: ['production', 'checkout'],
  })
