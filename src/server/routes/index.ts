import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';
import { changeRoutes } from './change.ts';
import { datasetRoutes } from './datasets.ts';
import { evaluateRoute } from './evaluate.ts';
import { explainRoute } from './explain.ts';
import { feedbackRoute } from './feedback.ts';
import { healthRoutes } from './health.ts';
import { inferenceRoutes } from './inference.ts';
import { insightRoutes } from './insights.ts';
import { jobRoutes } from './jobs.ts';
import { learnRoutes } from './learn.ts';
import { modelRoutes } from './models.ts';
import { predictRoute } from './predict.ts';

const all = [
  healthRoutes,
  modelRoutes,
  predictRoute,
  explainRoute,
  learnRoutes,
  feedbackRoute,
  changeRoutes,
  evaluateRoute,
  insightRoutes,
  jobRoutes,
  datasetRoutes,
  inferenceRoutes,
];

/** All routes. */
export function addRoutes(app: FastifyInstance, service: Service): void {
  for (const add of all) add(app, service);
}
