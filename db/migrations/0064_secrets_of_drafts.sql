-- Test runs of a service that is not created yet bring its secrets. Rows that exist have none.
ALTER TABLE "draft_runs" ADD COLUMN "sealed" "bytea";