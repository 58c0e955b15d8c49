import type { ProgressEvent, ResultEvent } from "../events/index.ts";
import type { Question } from "./question.ts";

/** A question that is being asked, in its place among the progress. */
export interface QuestionEvent {
  readonly type: "elicitation";
  readonly key: string;
  readonly request: Question;
}

/** What a call tells its caller: any number of updates and questions, then its result. */
export type CallEvent = ProgressEvent | QuestionEvent | ResultEvent;
