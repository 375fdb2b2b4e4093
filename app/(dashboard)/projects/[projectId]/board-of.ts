/** Returns the input of `status.board` for a page of the project's table. Its rows take longer to draw than the board's. */
export function boardOf(projectId: string, page: number) {
  return { projectId, page, pageSize: 50 }
}
