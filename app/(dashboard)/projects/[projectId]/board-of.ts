import { type ListAddress, queryOf } from '../../../components/service-list/list-address.ts'

/** Returns the input of `status.board` for a project's table. Its rows take longer to draw than the board's. */
export function boardOf(projectId: string, address: ListAddress) {
  return { ...queryOf(address), projectId, pageSize: 50 }
}
