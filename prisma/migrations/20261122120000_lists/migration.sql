-- CreateIndex
CREATE INDEX "summaries_project_id_created_at_idx" ON "summaries"("project_id", "created_at");
