/** An object of Kubernetes, with the fields that the rules look at. kubernetes-schemas.ts checks all of them. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  data?: Labels;
  stringData?: Labels;
  spec?: {
    replicas?: number;
    activeDeadlineSeconds?: number;
    template?: Pod;
    selector?: { matchLabels?: Labels } & Labels;
    ports?: { name: string; port: number; targetPort: string }[];
    scaleTargetRef?: { name: string };
    rules?: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
    podMetricsEndpoints?: { port: string; basicAuth: Record<string, SecretKey> }[];
    groups?: unknown[];
    triggers?: { metadata: Labels }[];
  };
}

export type Labels = Record<string, string>;

interface SecretKey {
  name: string;
  key: string;
  /** The program starts without it. */
  optional?: boolean;
}

interface Pod {
  metadata: { labels?: Labels; annotations?: Labels };
  spec: {
    automountServiceAccountToken?: boolean;
    enableServiceLinks?: boolean;
    securityContext?: { runAsNonRoot?: boolean };
    serviceAccountName?: string;
    nodeSelector?: Labels;
    tolerations?: unknown[];
    affinity?: Record<string, unknown>;
    terminationGracePeriodSeconds?: number;
    topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[];
    containers: Container[];
    volumes?: {
      name: string;
      configMap?: { name: string };
      persistentVolumeClaim?: { claimName: string };
    }[];
  };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: SecretKey } }[];
  ports?: { name: string; containerPort: number }[];
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: {
    readOnlyRootFilesystem?: boolean;
    allowPrivilegeEscalation?: boolean;
    capabilities?: { drop?: string[] };
  };
  volumeMounts?: { name: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

interface Probe {
  httpGet: { path: string; port: string };
}

/** How a complaint names an object. */
export const nameOf = ({ kind, metadata: { name } }: Manifest): string => `${kind} ${name}`;
