import { List, Text } from '@mantine/core'
import { describeFailedAssertion } from '#server/schemas/results/assertion-text.ts'
import type { LastFailure } from '#server/schemas/results/failures.ts'
import styles from './state.module.css'

/** The length of values in a summary. */
const VALUE_MAX = 120

/** The assertions that failed besides the one that the summary describes. */
export function FailureDetails({ failure }: { failure: LastFailure }) {
  const further = failure.assertions.filter((one) => !failure.summary.includes(describeFailedAssertion(one, VALUE_MAX)))
  const omitted = failure.assertionsTotal - failure.assertions.length
  return (
    <>
      {further.length > 0 && (
        <List size="sm" spacing={4} aria-label="Also failed">
          {further.map((assertion, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a run never changes
            <List.Item key={index} className={styles.cause}>
              Step {assertion.stepNum}: {describeFailedAssertion(assertion)}
            </List.Item>
          ))}
        </List>
      )}
      {omitted > 0 && <Text size="sm">{omitted} more assertions failed. The result lists all of them.</Text>}
    </>
  )
}
