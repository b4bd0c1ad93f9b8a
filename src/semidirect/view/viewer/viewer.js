// The page of a run: reads the numbers in #data, draws them, moves them. build.mjs makes bundle.js of it.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

const $ = (id) => document.getElementById(id);
const scene = JSON.parse($("data").textContent);

function unpacked(text, Kind = Float32Array) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

const times = unpacked(scene.times, Float64Array);
const T = times.length, P = scene.labels.length;
const quaternions = unpacked(scene.quaternion), position = unpacked(scene.position), trail = unpacked(scene.trail);
const joints = Object.fromEntries(Object.entries(scene.joints).map(([k, v]) => [k, unpacked(v)]));
const scaled = (values, by) => (by === 1 ? values : Float64Array.from(values, (x) => by * x));
const vectors = Object.fromEntries(Object.entries(scene.vectors).map(([k, v]) => [k, scaled(unpacked(v), scene.scales[k])]));
const series = scene.series.map((s) => ({ ...s, change: scaled(unpacked(s.change), s.scale) }));
const mode = scene.mode ? unpacked(scene.mode, Int8Array) : null;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const state = { t: times[0], path: 0, speed: scene.speed, playing: false, camera: "fixed", ghosts: true, trail: true };

// How many frames of each path have values, from the first on.
const valid = Array.from({ length: P }, (_, p) => {
  let k = 0;
  while (k < T && Number.isFinite(quaternions[4 * (p * T + k)]) && Number.isFinite(trail[3 * (p * T + k)])) k++;
  return k;
});

const LETTERS = { alpha: "α", beta: "β", gamma: "γ", Gamma: "Γ", theta: "θ", phi: "φ", psi: "ψ", omega: "ω", Omega: "Ω", nu: "ν", xi: "ξ", chi: "χ" };
const word = (name) => LETTERS[name] ?? name.replace(/-/g, " ");
/** A name as a title: ``routh-sphere`` and ``RouthSphere`` are a Routh sphere. */
function titled(name) {
  const words = name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`).replace(/-/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
const truths = scene.roles.map((role, p) => (role === "truth" ? p : -1)).filter((p) => p >= 0);
const others = P - 1 - truths.length; // drawn as ghosts when the first path is chosen
/** The strength of one of many lines, so that all together do not cover what is below. */
const faint = (strength) => strength * Math.min(1, Math.sqrt(20 / Math.max(1, others)));

// -- where things are at a time -------------------------------------------------------------------------------------

/** The frame before a time, and how far the time is on the way to the next. */
function placeOf(t) {
  let low = 0, high = T - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  if (t >= times[T - 1]) return [T - 1, 0];
  return [low, Math.max(0, (t - times[low]) / (times[low + 1] - times[low]))];
}

const before = new THREE.Quaternion(), after = new THREE.Quaternion();

/** Rotation and position of a path at a place; whether there are any. */
function pose(p, [k, part], quaternion, where) {
  if (k >= valid[p]) return false;
  const i = p * T + k, j = part > 0 && k + 1 < valid[p] ? i + 1 : i;
  before.fromArray(quaternions, 4 * i);
  if (j === i) quaternion.copy(before);
  else quaternion.slerpQuaternions(before, after.fromArray(quaternions, 4 * j), part);
  for (let c = 0; c < 3; c++) {
    where.setComponent(c, position[3 * i + c] + part * (position[3 * j + c] - position[3 * i + c]));
  }
  return true;
}

function between(values, width, p, [k, part], c = 0) {
  const i = p * T + k, j = k + 1 < T ? i + 1 : i;
  const a = values[width * i + c], b = values[width * j + c];
  return part > 0 && Number.isFinite(b) ? a + part * (b - a) : a;
}

// -- the body in space ----------------------------------------------------------------------------------------------

const TRUTH = "#e8871e", TRUE_TONES = [TRUTH, "#fbe6cb"];
const BODY = ["#2a78bd", "#f0f2f4"], MARK = ["#d9541e", "#f3a24a"], DARK = ["#39424c", "#59636e"];
const TONES = { body: BODY, mark: MARK, dark: DARK };

/** A body of size 1 with two tones in turns, so that one sees it turn, from n pieces around it. */
function unit(kind, n) {
  if (kind === "sphere") return new THREE.SphereGeometry(1, n, n / 2).rotateX(Math.PI / 2);
  if (kind === "cylinder") return new THREE.CylinderGeometry(1, 1, 1, n).rotateX(Math.PI / 2);
  if (kind === "cone") return new THREE.ConeGeometry(1, 1, n, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  return new THREE.BoxGeometry(1, 1, 1);
}

function toneOf(kind, x, y, z) {
  if (kind === "sphere") return (x > 0) !== (y > 0) !== (z > 0);
  if (kind === "box") return Math.abs(x) >= Math.max(Math.abs(y), Math.abs(z)) ? x < 0 : Math.abs(y) > Math.abs(z) ? y > 0 : z < 0;
  return Math.floor(((Math.atan2(y, x) + Math.PI) / (2 * Math.PI)) * 8 - 1e-6) % 2 === 0;
}

function geometryOf(part, n = 64, tones = TONES[part.colour]) {
  const geometry = unit(part.kind, n).toNonIndexed(), at = geometry.attributes.position, colours = new Float32Array(3 * at.count);
  const [one, two] = tones.map((c) => new THREE.Color(c));
  for (let i = 0; i < at.count; i += 3) {
    const mean = [0, 1, 2].map((c) => (at.array[3 * i + c] + at.array[3 * i + 3 + c] + at.array[3 * i + 6 + c]) / 3);
    const colour = toneOf(part.kind, ...mean) ? one : two;
    for (let j = 0; j < 3; j++) colour.toArray(colours, 3 * (i + j));
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const l = part.linear;
  return geometry.applyMatrix4(new THREE.Matrix4().set(...l[0], 0, ...l[1], 0, ...l[2], 0, 0, 0, 0, 1));
}

/** A body that is chosen, or the truth, which has colours of its own. One with something inside is seen through. */
function bodyOf(parts, tones) {
  const group = new THREE.Group(), works = parts.some((p) => p.joint);
  const inside = works || parts.some((p) => p.kind === "dot") || !scene.hasShape;
  group.joints = [];
  for (const part of parts) {
    let one;
    if (part.kind === "dot") {
      const material = new THREE.MeshBasicMaterial({ color: "#d9541e", depthTest: false, transparent: true });
      one = new THREE.Mesh(new THREE.SphereGeometry(0.04 * scene.radius, 20, 12), material);
      one.renderOrder = 3;
    } else {
      const through = part.kind === "sphere" && inside;
      const opacity = tones ? 0.6 : !through ? 1 : works || !scene.hasShape ? 0.45 : 0.78;
      const material = new THREE.MeshStandardMaterial({
        vertexColors: true, roughness: 0.55, metalness: 0.05, side: through ? THREE.FrontSide : THREE.DoubleSide,
        transparent: opacity < 1, opacity,
      });
      one = new THREE.Mesh(geometryOf(part, 64, tones), material);
      one.renderOrder = through || tones ? 2 : 0;
    }
    one.position.fromArray(part.centre);
    if (part.joint) group.joints.push([one, part.joint, new THREE.Vector3().fromArray(part.hinge).normalize()]);
    group.add(one);
  }
  return group;
}

/**
 * All other paths with the same body, of any number: of what they cover together the nearest surface is drawn once, through which
 * one sees. A first pass writes depths, the second one paints a pixel where it has that depth, and by the stencil not again.
 */
class Ghosts {
  constructor(world, parts, paths) {
    this.paths = paths;
    const n = paths.length > 40 ? 20 : 32;
    this.parts = parts.filter((part) => part.kind !== "dot").map((part) => {
      const shape = geometryOf(part, n), side = part.kind === "cone" ? THREE.DoubleSide : THREE.FrontSide; // others are closed
      const both = { side, forceSinglePass: true, transparent: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
      const depth = new THREE.InstancedMesh(shape, new THREE.MeshBasicMaterial({ colorWrite: false, ...both }), paths.length);
      const colour = new THREE.InstancedMesh(shape, new THREE.MeshLambertMaterial({
        vertexColors: true, opacity: 0.24, depthWrite: false, ...both,
        stencilWrite: true, stencilRef: 0, stencilFunc: THREE.EqualStencilFunc, stencilZPass: THREE.IncrementStencilOp,
      }), paths.length);
      colour.instanceMatrix = depth.instanceMatrix;
      [depth.renderOrder, colour.renderOrder] = [4, 5];
      depth.frustumCulled = colour.frustumCulled = false;
      world.add(depth, colour);
      const hinge = part.joint ? new THREE.Vector3().fromArray(part.hinge).normalize() : null;
      return { part, depth, colour, hinge, centre: new THREE.Vector3().fromArray(part.centre) };
    });
  }

  draw(place) {
    const turn = new THREE.Quaternion(), at = new THREE.Vector3(), whole = new THREE.Matrix4(), own = new THREE.Matrix4();
    const size = new THREE.Vector3(1, 1, 1), joint = new THREE.Quaternion();
    let n = 0;
    for (const p of this.paths) {
      if (!state.ghosts || p === state.path || !pose(p, place, turn, at)) continue;
      whole.compose(at, turn, size);
      for (const { part, depth, hinge, centre } of this.parts) {
        joint.identity();
        if (hinge) joint.setFromAxisAngle(hinge, between(joints[part.joint], 1, p, place));
        depth.setMatrixAt(n, own.compose(centre, joint, size).premultiply(whole));
      }
      n++;
    }
    for (const { depth, colour } of this.parts) {
      depth.count = colour.count = n;
      depth.instanceMatrix.needsUpdate = true;
    }
  }
}

/** Marks of a size on the screen, in the order in which they appear. */
class Marks {
  constructor(world, draw, order) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    this.pen = canvas.getContext("2d");
    this.pen.lineWidth = 9;
    this.paint = draw;
    this.texture = new THREE.CanvasTexture(canvas);
    const material = new THREE.PointsMaterial({
      map: this.texture, size: 15, sizeAttenuation: false, transparent: true, depthTest: false, depthWrite: false,
    });
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = order;
    this.place([], []);
    world.add(this.points);
  }

  place(when, where) {
    const order = when.map((_, i) => i).sort((i, j) => when[i] - when[j]);
    this.when = order.map((i) => when[i]);
    this.points.geometry.dispose();
    this.points.geometry = new THREE.BufferGeometry();
    const flat = new Float32Array(order.flatMap((i) => where[i]));
    this.points.geometry.setAttribute("position", new THREE.BufferAttribute(flat, 3));
  }

  dress(colour) {
    this.pen.clearRect(0, 0, 64, 64);
    this.pen.strokeStyle = colour;
    this.pen.beginPath();
    this.paint(this.pen);
    this.pen.stroke();
    this.texture.needsUpdate = true;
    this.points.material.size = 15 * Math.min(devicePixelRatio, 2);
  }

  draw(on) {
    let n = 0;
    while (n < this.when.length && this.when[n] <= state.t) n++;
    this.points.visible = on && n > 0;
    this.points.geometry.setDrawRange(0, n);
  }
}

const crossed = (pen) => (pen.moveTo(12, 12), pen.lineTo(52, 52), pen.moveTo(52, 12), pen.lineTo(12, 52));
const ringed = (pen) => pen.arc(32, 32, 20, 0, 2 * Math.PI);

class Space {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, stencil: true });
    this.world = new THREE.Scene();
    this.eye = new THREE.PerspectiveCamera(38, 1, 0.01 * scene.radius, 4000 * scene.radius);
    this.eye.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.eye, canvas);
    this.controls.addEventListener("change", () => (changed = true));
    this.sky = new THREE.HemisphereLight("#ffffff", "#8a8f96", 2.1);
    this.sun = new THREE.DirectionalLight("#ffffff", 1.7);
    this.world.add(this.sky, this.sun);
    this.extent();
    this.mains = scene.bodies.map((parts) => bodyOf(parts));
    this.truths = truths.map((p) => [p, bodyOf(scene.bodies[scene.body[p]], TRUE_TONES)]);
    this.world.add(...this.mains, ...this.truths.map(([, body]) => body));
    this.ghosts = scene.bodies.map((parts, k) => {
      const paths = scene.body.map((one, p) => (one === k && scene.roles[p] !== "truth" ? p : -1)).filter((p) => p >= 0);
      return P > 1 && paths.length ? new Ghosts(this.world, parts, paths) : null;
    });
    this.trails();
    this.ground();
    this.ends = new Marks(this.world, crossed, 7);
    this.hits = new Marks(this.world, ringed, 8);
    const over = scene.failed.map((failed, p) => (failed && valid[p] > 0 && valid[p] < T ? p : -1)).filter((p) => p >= 0);
    this.ends.place(over.map((p) => times[valid[p]]), over.map((p) => this.at(p, valid[p] - 1)));
  }

  /** Where the origin of the body is at a frame. */
  at(p, k) {
    return [0, 1, 2].map((c) => position[3 * (p * T + k) + c]);
  }

  /** The box that all paths fill. */
  extent() {
    this.box = new THREE.Box3();
    const at = new THREE.Vector3();
    for (let p = 0; p < P; p++) {
      for (let k = 0; k < valid[p]; k++) this.box.expandByPoint(at.fromArray(position, 3 * (p * T + k)));
    }
    if (this.box.isEmpty()) this.box.expandByPoint(at.set(0, 0, 0));
    this.box.expandByScalar(scene.radius);
    if (scene.onGround) this.box.min.z = 0;
    this.middle = this.box.getCenter(new THREE.Vector3());
    this.reach = this.box.getSize(new THREE.Vector3()).length() / 2;
  }

  /** Where a trail is at a frame, a little above the ground. */
  point(p, k) {
    const lift = scene.onGround ? 0.01 * scene.radius : 0;
    return [0, 1, 2].map((c) => trail[3 * (p * T + k) + c] + (c === 2 ? lift : 0));
  }

  /** The trails of all paths in one object: the pieces of all of them between two frames, then those between the next. */
  trails() {
    const flat = new Float32Array(6 * P * Math.max(1, T - 1)), hold = scene.roles.map((role, p) => role === "path" && P > 1);
    for (let k = 0, i = 0; k + 1 < T; k++) {
      for (let p = 0; p < P; p++, i += 6) {
        const on = hold[p] && k + 1 < valid[p];
        if (on) flat.set([...this.point(p, k), ...this.point(p, k + 1)], i);
      }
    }
    const pieces = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(flat, 3));
    this.thin = new THREE.LineSegments(pieces, new THREE.LineBasicMaterial({ transparent: true, opacity: faint(0.45) }));
    this.thin.frustumCulled = false;
    this.thin.visible = false;
    this.world.add(this.thin);
    this.material = new LineMaterial({ linewidth: 2.5 });
    this.trueMaterial = new LineMaterial({ linewidth: 2, color: TRUTH });
    this.lines = [];
    this.thick();
  }

  /** The trails of the chosen path and of the truth. */
  thick() {
    for (const { line } of this.lines) {
      this.world.remove(line);
      line.geometry.dispose();
    }
    const drawn = [...truths.filter((p) => p !== state.path).map((p) => [p, this.trueMaterial]), [state.path, this.material]];
    this.lines = drawn.map(([p, material]) => {
      const points = Array.from({ length: Math.max(valid[p], 1) }, (_, k) => this.point(p, k).map((x) => (Number.isFinite(x) ? x : 0)));
      const two = points.length < 2 ? [...points, ...points] : points;
      const line = new Line2(new LineGeometry().setPositions(two.flat()), material);
      line.frustumCulled = false;
      this.world.add(line);
      return { line, p };
    });
    this.lineOf = state.path;
  }

  /** The transitions of the chosen path, where its trail is then. */
  events() {
    const when = scene.instants[state.path].filter(([t]) => placeOf(t)[0] < valid[state.path]);
    this.hits.place(when.map(([t]) => t), when.map(([t]) => this.point(state.path, placeOf(t)[0])));
  }

  ground() {
    const r = scene.radius, step = 10 ** Math.round(Math.log10(r));
    this.step = step * (r / step > 1.6 ? 2 : r / step < 0.5 ? 0.5 : 1);
    this.floor = new THREE.Group();
    this.floor.position.z = scene.onGround ? 0 : scene.moves ? this.box.min.z - 0.2 * r : -1.15 * r;
    const wide = scene.table ? Math.max(this.reach * 1.1, 4 * r) : 400 * this.step;
    const flat = scene.table ? new THREE.CircleGeometry(wide, 96) : new THREE.PlaneGeometry(2 * wide, 2 * wide);
    const { position: at, uv } = flat.attributes;
    for (let i = 0; i < at.count; i++) uv.setXY(i, at.getX(i) / this.step, at.getY(i) / this.step);
    this.tile = document.createElement("canvas");
    this.tile.width = this.tile.height = 128;
    const squares = new THREE.CanvasTexture(this.tile);
    squares.wrapS = squares.wrapT = THREE.RepeatWrapping;
    squares.colorSpace = THREE.SRGBColorSpace;
    squares.anisotropy = 8;
    this.grid = new THREE.Mesh(flat, new THREE.MeshBasicMaterial({ map: squares }));
    this.grid.position.z = -0.004 * r;
    this.floor.add(this.grid);
    const soft = document.createElement("canvas"), brush = soft.getContext("2d");
    soft.width = soft.height = 64;
    const fade = brush.createRadialGradient(32, 32, 0, 32, 32, 32);
    fade.addColorStop(0, "rgba(0, 0, 0, 1)");
    fade.addColorStop(1, "rgba(0, 0, 0, 0)");
    brush.fillStyle = fade;
    brush.fillRect(0, 0, 64, 64);
    const shadow = { map: new THREE.CanvasTexture(soft), transparent: true, depthWrite: false };
    this.blob = new THREE.Mesh(new THREE.PlaneGeometry(1.5 * r, 1.5 * r), new THREE.MeshBasicMaterial(shadow));
    this.blob.visible = scene.onGround;
    this.world.add(this.floor, this.blob);
    if (scene.stand) {
      const post = new THREE.CylinderGeometry(0.02 * r, 0.05 * r, 1.15 * r, 24).rotateX(Math.PI / 2);
      this.post = new THREE.Mesh(post, new THREE.MeshStandardMaterial({ roughness: 0.8 }));
      this.post.position.z = -0.575 * r;
      this.world.add(this.post);
    }
  }

  /** The camera where it begins, for the way it is used. */
  home() {
    const r = scene.radius, half = Math.sin((this.eye.fov * Math.PI) / 360) * Math.min(1, this.eye.aspect);
    const target = new THREE.Vector3();
    let distance = (0.9 * this.reach) / half, from = new THREE.Vector3(0.62, -0.78, 0.42);
    if (state.camera === "follow") {
      pose(state.path, placeOf(state.t), before, target);
      distance = (2.1 * r) / half;
    } else target.copy(this.middle);
    if (!scene.moves && !scene.onGround) {
      target.set(0, 0, scene.stand ? 0.3 * r : 0);
      distance = (scene.stand ? 1.25 * r : 1.15 * r) / half;
    }
    if (state.camera === "above") from = new THREE.Vector3(0, -1e-4, 1);
    this.controls.target.copy(target);
    this.eye.position.copy(target).addScaledVector(from.normalize(), distance);
    this.controls.update();
    changed = true;
  }

  dress() {
    const night = dark.matches, back = new THREE.Color(night ? "#171b20" : "#f2f3f1");
    this.world.background = back;
    this.world.fog = new THREE.Fog(back, 1, 2);
    const pen = this.tile.getContext("2d");
    pen.fillStyle = scene.table ? (night ? "#232a31" : "#e3e7ea") : `#${back.getHexString()}`;
    pen.fillRect(0, 0, 128, 128);
    pen.fillStyle = night ? "#3b4651" : "#c3cad0";
    pen.fillRect(0, 0, 128, 3);
    pen.fillRect(0, 0, 3, 128);
    this.grid.material.map.needsUpdate = true;
    this.post?.material.color.set(night ? "#76818c" : "#8b949d");
    this.blob.material.opacity = night ? 0.6 : 0.35;
    this.material.color.set(night ? "#ffb454" : "#c2410c");
    this.thin.material.color.set(night ? "#93a4b5" : "#5d7285");
    this.ends.dress(night ? "#ff8d7a" : "#b3261e");
    this.hits.dress(night ? "#f2f4f6" : "#1c2024");
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement.parentElement;
    if (!w || !h) return; // a frame that is not laid out yet
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.eye.aspect = w / h;
    this.eye.updateProjectionMatrix();
    if (!this.begun) {
      this.begun = true;
      this.home();
    }
  }

  draw() {
    const place = placeOf(state.t), body = this.mains[scene.body[state.path]];
    for (const main of this.mains) main.visible = false;
    const shown = [[state.path, body], ...this.truths];
    for (const [p, one] of shown) {
      one.visible = (one === body || p !== state.path) && pose(p, place, one.quaternion, one.position);
      for (const [part, name, hinge] of one.joints) part.quaternion.setFromAxisAngle(hinge, between(joints[name], 1, p, place));
    }
    for (const ghosts of this.ghosts) ghosts?.draw(place);
    if (this.lineOf !== state.path) this.thick();
    this.thin.visible = state.trail && state.ghosts && others > 0 && place[0] > 0;
    this.thin.geometry.setDrawRange(0, 2 * P * place[0]);
    for (const { line, p } of this.lines) {
      const reached = Math.min(place[0], valid[p] - 1);
      line.visible = state.trail && reached > 0;
      line.geometry.instanceCount = Math.max(1, reached);
    }
    this.ends.draw(true);
    this.hits.draw(state.trail);
    if (state.camera === "follow" && body.visible) {
      const shift = body.position.clone().sub(this.controls.target);
      if (scene.onGround) shift.z = 0;
      this.controls.target.add(shift);
      this.eye.position.add(shift);
      this.controls.update();
    }
    if (body.visible && scene.onGround) {
      const [x, y] = [0, 1].map((c) => between(trail, 3, state.path, place, c));
      this.blob.position.set(x, y, 0.004 * scene.radius);
    }
    this.blob.visible = scene.onGround && body.visible;
    if (scene.table) {
      this.floor.rotation.z = scene.table * state.t;
    } else {
      const s = this.step, at = this.controls.target;
      this.grid.position.set(Math.round(at.x / s) * s, Math.round(at.y / s) * s, this.grid.position.z);
    }
    const distance = this.eye.position.distanceTo(this.controls.target);
    this.world.fog.near = 2 * distance;
    this.world.fog.far = Math.max(5 * distance, 3 * this.reach);
    this.sun.position.copy(this.controls.target).add(new THREE.Vector3(-1, -2, 4).multiplyScalar(scene.radius));
    this.sun.target.position.copy(this.controls.target);
    this.sun.target.updateMatrixWorld();
    this.renderer.render(this.world, this.eye);
  }
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A number to read. */
function spelled(x, digits) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x), small = size > 0 && (size < 1e-3 || size >= 1e6);
  const text = small ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.replace(/e\+?(-?\d+)/, (_, n) => ` · 10${[...n].map((c) => RAISED[c]).join("")}`).replace("-", "−");
}

// -- drawings in the plane ------------------------------------------------------------------------------------------

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A canvas with a context in CSS pixels; [context, width, height]. */
function fresh(canvas) {
  const ratio = Math.min(devicePixelRatio, 2), w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const context = canvas.getContext("2d", { willReadFrequently: true }); // drawn without the graphics card, which is faster for thin lines
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, w, h);
  return [context, w, h];
}

class Sphere {
  constructor(canvas) {
    this.canvas = canvas;
    this.turn = -0.9;
    this.lean = 0.42;
    this.choose(Object.keys(vectors)[0]);
    let from = null;
    canvas.addEventListener("pointerdown", (e) => {
      from = [e.clientX, e.clientY];
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.turn += (e.clientX - from[0]) / 80;
      this.lean = Math.max(-1.5, Math.min(1.5, this.lean + (e.clientY - from[1]) / 80));
      from = [e.clientX, e.clientY];
      changed = true;
    });
    canvas.addEventListener("pointerup", () => (from = null));
  }

  choose(name) {
    this.name = name;
    this.values = vectors[name];
    this.most = 0;
    for (let i = 0; i < this.values.length; i += 3) {
      const length = Math.hypot(this.values[i], this.values[i + 1], this.values[i + 2]);
      if (Number.isFinite(length) && length > this.most) this.most = length;
    }
    this.most ||= 1;
  }

  /** Right, up and towards the reader, of a vector. */
  seen(x, y, z) {
    const c = Math.cos(this.turn), s = Math.sin(this.turn), a = c * x - s * y, b = s * x + c * y;
    const l = Math.cos(this.lean), m = Math.sin(this.lean);
    return [a, l * z + m * b, m * z - l * b];
  }

  draw() {
    const [context, w, h] = fresh(this.canvas), radius = Math.min(w, h) / 2 - 12;
    if (radius <= 0) return;
    const line = style("--line"), ink = style("--ink"), soft = style("--soft"), accent = style("--accent");
    const at = (v) => [w / 2 + radius * v[0], h / 2 - radius * v[1]];
    const curve = (points, colour, width, alpha) => {
      for (const front of [false, true]) {
        context.beginPath();
        let pen = false;
        for (const point of points) {
          const v = this.seen(...point);
          const on = v[2] >= 0 === front && Number.isFinite(v[0]);
          if (on) context[pen ? "lineTo" : "moveTo"](...at(v));
          pen = on;
        }
        context.globalAlpha = alpha * (front ? 1 : 0.35);
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
      }
      context.globalAlpha = 1;
    };
    context.beginPath();
    context.arc(w / 2, h / 2, radius, 0, 2 * Math.PI);
    context.fillStyle = style("--back");
    context.fill();
    context.strokeStyle = line;
    context.stroke();
    const ring = (f) => Array.from({ length: 73 }, (_, i) => f((i * Math.PI) / 36));
    for (let i = 0; i < 6; i++) {
      const c = Math.cos((i * Math.PI) / 6), s = Math.sin((i * Math.PI) / 6);
      curve(ring((u) => [Math.cos(u) * c, Math.cos(u) * s, Math.sin(u)]), line, 1, 1);
      if (i < 5) curve(ring((u) => [Math.sin(((i + 1) * Math.PI) / 6) * Math.cos(u), Math.sin(((i + 1) * Math.PI) / 6) * Math.sin(u), Math.cos(((i + 1) * Math.PI) / 6)]), line, 1, 1);
    }
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = soft;
    context.textAlign = "center";
    context.textBaseline = "middle";
    ["E₁", "E₂", "E₃"].forEach((label, i) => {
      const v = this.seen(...[0, 1, 2].map((c) => (c === i ? 1.1 : 0)));
      context.globalAlpha = v[2] < 0 ? 0.5 : 1;
      context.fillText(label, ...at(v));
    });
    context.globalAlpha = 1;
    const place = placeOf(state.t), scaled = (p, k) => [0, 1, 2].map((c) => this.values[3 * (p * T + k) + c] / this.most);
    const now = (p) => this.seen(...[0, 1, 2].map((c) => between(this.values, 3, p, place, c) / this.most));
    if (state.trail) curve(Array.from({ length: Math.min(place[0] + 1, valid[state.path]) }, (_, k) => scaled(state.path, k)), accent, 1.6, 0.9);
    for (let p = 0; p < P; p++) {
      if (p !== state.path && !state.ghosts) continue;
      if (place[0] >= valid[p]) continue;
      const v = now(p), chosen = p === state.path;
      context.globalAlpha = (chosen ? 1 : 0.45) * (v[2] < 0 ? 0.55 : 1);
      context.fillStyle = chosen ? ink : soft;
      context.beginPath();
      context.arc(...at(v), chosen ? 4.5 : 2.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    const value = [0, 1, 2].map((c) => between(this.values, 3, state.path, place, c));
    $("value").textContent = `${word(this.name)} = (${value.map((x) => spelled(x, 4)).join(", ")})`;
  }
}

const raised = (n) => `10${[...String(n)].map((c) => RAISED[c]).join("")}`;

/** Round numbers from low to high, some three to five of them; none if there are no such numbers. */
function rounds(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 2.5, 5, 10].find((x) => x * power >= rough);
  if (!(step > 0 && Number.isFinite(step) && low + step > low)) return [];
  const first = Math.ceil(low / step - 1e-9), out = [];
  for (let i = first; i * step <= high + 1e-9 * step; i++) out.push(+(i * step).toPrecision(6));
  return out;
}

const EDGE = { left: 44, right: 8, top: 7, bottom: 17 };
/** Colours of modes, behind the curves. */
const SHADES = ["#3b82c4", "#d97706", "#3f9b6d", "#9b59b6", "#c2554b", "#7f8c8d"];

class Chart {
  constructor(one) {
    this.one = one;
    const frame = document.createElement("div");
    frame.className = "chart";
    frame.innerHTML = "<p><b></b><span></span></p><canvas role='img'></canvas>";
    this.title = frame.querySelector("b");
    this.value = frame.querySelector("span");
    this.canvas = frame.querySelector("canvas");
    this.canvas.setAttribute("aria-label", `${word(one.name)} over time; click to go there`);
    $("charts").append(frame);
    let low = Infinity, high = -Infinity;
    for (let p = 0; p < P; p++) {
      for (let k = 0; k < T; k++) {
        const x = one.start[p] + one.change[p * T + k];
        if (!Number.isFinite(x)) continue;
        if (x < low) low = x;
        if (x > high) high = x;
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high)) || 1;
    if (high / 2 - low / 2 < 5e-10 * size) [low, high] = [low / 2 + high / 2 - 0.05 * size, low / 2 + high / 2 + 0.05 * size];
    [this.low, this.high] = [low, high];
    const width = high / 2 - low / 2;
    this.digits = Math.min(12, Math.max(4, 2 + Math.ceil(Math.log10(size / 2 / width) || 0)));
    this.scale();
    this.behind = document.createElement("canvas");
    const go = (e) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      const part = (e.clientX - left - EDGE.left) / (width - EDGE.left - EDGE.right);
      seek(nearest(times[0] + Math.min(1, Math.max(0, part)) * (times[T - 1] - times[0])));
    };
    this.canvas.addEventListener("pointerdown", (e) => (play(false), go(e)));
    this.canvas.addEventListener("pointermove", (e) => e.buttons && go(e));
  }

  at(p, k) {
    return this.one.start[p] + this.one.change[p * T + k];
  }

  x(t, w) {
    return EDGE.left + ((t - times[0]) / (times[T - 1] - times[0])) * (w - EDGE.left - EDGE.right);
  }

  y(v, h) {
    const part = (v / 2 - this.low / 2) / (this.high / 2 - this.low / 2);
    return h - EDGE.bottom - part * (h - EDGE.bottom - EDGE.top);
  }

  /** The numbers at the axis: a power of ten is with the unit, and changes that are small are changes from a value. */
  scale() {
    const size = Math.max(Math.abs(this.low), Math.abs(this.high)), width = this.high - this.low;
    this.base = width > 0 && size / width > 1e4 ? this.one.start[0] : 0;
    const [low, high] = [this.low - this.base, this.high - this.base], most = Math.max(Math.abs(low), Math.abs(high));
    let power = Math.floor(Math.log10(most) + 1e-9);
    if (!Number.isFinite(power) || (power >= -2 && power <= 3)) power = 0;
    const by = 10 ** power;
    this.ticks = by > 0 ? rounds(low / by, high / by).map((x) => [this.base + x * by, String(x).replace("-", "−")]) : [];
    const unit = [power ? raised(power) : "", this.one.unit].filter(Boolean).join(" ");
    this.title.textContent = `${word(this.one.name)}${unit ? ` [${unit}]` : ""}`;
    if (this.base) this.title.textContent += ` from ${spelled(this.base, 6)}`;
  }

  /** Axes with their numbers, the modes of the chosen path, and its transitions. */
  axes(pen, w, h) {
    const [left, right, top, bottom] = [EDGE.left, w - EDGE.right, EDGE.top, h - EDGE.bottom], span = times[T - 1] - times[0];
    if (mode) {
      pen.globalAlpha = 0.16;
      for (let k = 0, from = 0; k < T; k++) {
        if (k + 1 < T && mode[state.path * T + k + 1] === mode[state.path * T + from]) continue;
        pen.fillStyle = SHADES[mode[state.path * T + from] % SHADES.length];
        const [x, to] = [times[from], times[Math.min(k + 1, T - 1)]].map((t) => this.x(t, w));
        pen.fillRect(x, top, to - x, bottom - top);
        from = k + 1;
      }
      pen.globalAlpha = 1;
    }
    pen.font = "10px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.fillStyle = style("--soft");
    pen.strokeStyle = style("--line");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.beginPath();
    for (const [value, words] of this.ticks) {
      const y = Math.round(this.y(value, h)) + 0.5;
      pen.moveTo(left, y);
      pen.lineTo(right, y);
      pen.fillText(words, left - 5, y, left - 6);
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    let power = Math.floor(Math.log10(Math.max(Math.abs(times[0]), Math.abs(times[T - 1]))) + 1e-9);
    if (power >= -2 && power <= 3) power = 0;
    const by = 10 ** power, shown = by > 0 ? rounds(times[0] / by, times[T - 1] / by) : [], unit = power ? ` ${raised(power)} s` : " s";
    shown.forEach((value, i) => {
      const x = Math.round(this.x(value * by, w)) + 0.5, words = String(value).replace("-", "−");
      pen.moveTo(x, bottom);
      pen.lineTo(x, bottom + 3);
      const last = i === shown.length - 1, wide = pen.measureText(words + unit).width / 2;
      pen.fillText(last ? words + unit : words, last ? Math.min(x, w - wide - 1) : x, bottom + 5);
    });
    pen.moveTo(left + 0.5, top);
    pen.lineTo(left + 0.5, bottom + 0.5);
    pen.lineTo(right, bottom + 0.5);
    pen.stroke();
    pen.setLineDash([2, 3]);
    pen.strokeStyle = style("--ink");
    pen.globalAlpha = 0.45;
    pen.beginPath();
    const hits = scene.instants[state.path];
    for (const [t] of hits.length > 60 || !(span > 0) ? [] : hits) {
      const x = Math.round(this.x(t, w)) + 0.5;
      pen.moveTo(x, top);
      pen.lineTo(x, bottom);
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** A cross where a path fails. */
  cross(pen, p, w, h, r) {
    const k = valid[p] - 1;
    if (!scene.failed[p] || k < 0 || valid[p] === T) return;
    const [x, y] = [this.x(times[k], w), this.y(this.at(p, k), h)];
    pen.beginPath();
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.stroke();
  }

  curve(context, p, w, h) {
    context.beginPath();
    let pen = false;
    const stride = Math.max(1, Math.floor(T / (2 * w)));
    for (let k = 0; k < T; k += stride) {
      const v = this.at(p, k), on = Number.isFinite(v);
      if (on) context[pen ? "lineTo" : "moveTo"](this.x(times[k], w), this.y(v, h));
      pen = on;
    }
    context.stroke();
  }

  /** The curves, drawn again where something but the time has changed. */
  prepare() {
    this.behind.width = 0;
  }

  draw() {
    const [context, w, h] = fresh(this.canvas);
    if (!w) return;
    if (!this.behind.width) {
      [this.behind.width, this.behind.height] = [this.canvas.width, this.canvas.height];
      const under = this.behind.getContext("2d", { willReadFrequently: true }), ratio = this.canvas.width / w;
      under.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.axes(under, w, h);
      under.strokeStyle = style("--soft");
      under.globalAlpha = faint(0.35);
      under.lineWidth = 0.8;
      const hold = scene.roles.map((role, p) => p !== state.path && role !== "truth");
      if (state.ghosts) for (let p = 0; p < P; p++) if (hold[p]) this.curve(under, p, w, h);
      under.globalAlpha = 1;
      under.strokeStyle = style("--fail");
      if (state.ghosts) for (let p = 0; p < P; p++) if (hold[p]) this.cross(under, p, w, h, 2.5);
      under.lineWidth = 1.6;
      under.strokeStyle = TRUTH;
      for (const p of truths) if (p !== state.path) this.curve(under, p, w, h);
      under.strokeStyle = style("--accent");
      this.curve(under, state.path, w, h);
      under.strokeStyle = style("--fail");
      this.cross(under, state.path, w, h, 3.5);
    }
    context.drawImage(this.behind, 0, 0, w, h);
    const place = placeOf(state.t), v = this.one.start[state.path] + between(this.one.change, 1, state.path, place);
    const x = this.x(state.t, w);
    context.strokeStyle = style("--ink");
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(x, EDGE.top);
    context.lineTo(x, h - EDGE.bottom);
    context.stroke();
    context.globalAlpha = 1;
    if (Number.isFinite(v)) {
      context.fillStyle = style("--ink");
      context.beginPath();
      context.arc(x, this.y(v, h), 3, 0, 2 * Math.PI);
      context.fill();
    }
    this.value.textContent = `${spelled(v, this.digits)} ${this.one.unit}`.trim();
  }
}

// -- the page -------------------------------------------------------------------------------------------------------

let changed = true, drawn = 0;

function nearest(t) {
  const [k, part] = placeOf(t);
  return part > 0.5 ? k + 1 : k;
}

function seek(frame) {
  state.t = times[Math.max(0, Math.min(T - 1, frame))];
  changed = true;
}

function play(on) {
  if (on && state.t >= times[T - 1]) state.t = times[0];
  state.playing = on;
  $("play").textContent = on ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  changed = true;
}

function prepare() {
  for (const chart of charts) chart.prepare();
  changed = true;
}

function choosePath(p) {
  state.path = p;
  $("path").value = p;
  speak();
  space?.events();
  legend();
  if (state.camera === "follow") space?.home();
  prepare();
}

function chooseCamera(name) {
  state.camera = name;
  $("camera").value = name;
  space?.home();
}

$("title").textContent = titled(scene.title);
const counted = scene.roles.filter((role) => role === "path").length;
$("about").textContent = [
  scene.about, truths.length ? "" : `${counted} path${counted > 1 ? "s" : ""}`, `${+times[0].toPrecision(6)} to ${+times[T - 1].toPrecision(6)} s`,
].filter(Boolean).join(" · ");
$("time").max = T - 1;
const ended = (p) => (scene.endings[p] ? ` (${scene.endings[p].split(":")[0]})` : "");
const speeds = new Set([scene.speed, 4, 2, 1, 0.5, 0.25, 0.125, scene.speed / 2, scene.speed * 2]);
const spoken = (s) => (s >= 1 ? `${+s.toPrecision(3)}×` : `1/${+(1 / s).toPrecision(3)}×`);
for (const s of [...speeds].sort((a, b) => a - b)) $("speed").add(new Option(spoken(s), s, false, s === scene.speed));
scene.labels.forEach((label, p) => scene.roles[p] !== "band" && $("path").add(new Option(`${label}${ended(p)}`, p)));
$("path").parentElement.hidden = $("path").options.length === 1;
$("ghostly").hidden = others < 1;
if (truths.length) $("ghostly").lastChild.textContent = " band";
for (const name of Object.keys(vectors)) $("vector").add(new Option(word(name), name));

let space = null;
const roomy = 6 * scene.radius;
try {
  space = new Space($("space"));
  if (scene.moves && space.reach > roomy) state.camera = "follow";
  $("camera").value = state.camera;
} catch {
  scene.notes.unshift("This browser cannot draw in three dimensions: WebGL is off.");
}
const sphere = Object.keys(vectors).length ? new Sphere($("sphere")) : null;
$("ball").hidden = !sphere;
const charts = series.map((one) => new Chart(one));
/** The notes, and what ends the chosen path. */
function speak() {
  const ending = scene.endings[state.path], path = P > 1 ? `Path ${scene.labels[state.path]}` : "The path";
  $("word").textContent = [...scene.notes, ...(ending ? [`${path} ${ending}.`] : [])].join(" ");
}
/** What the marks and colours on the page mean. */
function legend() {
  const list = $("meanings"), night = dark.matches, path = state.path;
  list.replaceChildren();
  const add = (kind, colour, words) => {
    const item = document.createElement("li"), mark = document.createElement("i");
    mark.className = kind;
    mark.style.setProperty("--of", colour);
    item.append(mark, words);
    list.append(item);
  };
  const estimate = truths.length > 0, name = (p) => (estimate ? scene.labels[p] : P > 1 ? `path ${scene.labels[p]}` : "the body");
  add("body", BODY[0], name(path));
  for (const p of truths) if (p !== path) add("body", TRUTH, scene.labels[p]);
  if (others > 0) add("ghost", BODY[0], estimate ? "its band" : `${others} other path${others > 1 ? "s" : ""}`);
  add("line", night ? "#ffb454" : "#c2410c", scene.onGround ? "trail of the lowest point" : scene.moves ? "trail of the body" : "trail of a point of the axis");
  if (scene.bodies[scene.body[path]].some((part) => part.kind === "dot")) add("dot", "#d9541e", "centre of mass");
  if (!scene.hasShape) {
    if (scene.bodies[scene.body[path]].some((part) => part.kind === "sphere")) add("ghost", BODY[0], "ellipsoid of its mass and inertia");
    [["mark", MARK], ["body", BODY], ["dark", DARK]].forEach(([, tone], i) => add("line", tone[0], `axis E${"₁₂₃"[i]}`));
  }
  if (scene.failed.some(Boolean)) add("cross", night ? "#ff8d7a" : "#b3261e", "where a path fails");
  if (scene.instants[path].length) add("ring", "currentColor", "transitions of this path");
  scene.modes.forEach((words, i) => add("patch", SHADES[i % SHADES.length], words));
}
speak();
space?.events();
if (innerWidth <= 760) $("legend").open = false;
if (!scene.moves) $("camera").parentElement.hidden = true;

$("play").addEventListener("click", () => play(!state.playing));
$("time").addEventListener("input", (e) => (play(false), seek(+e.target.value)));
$("speed").addEventListener("change", (e) => (state.speed = +e.target.value));
$("path").addEventListener("change", (e) => choosePath(+e.target.value));
$("camera").addEventListener("change", (e) => chooseCamera(e.target.value));
$("vector").addEventListener("change", (e) => (sphere.choose(e.target.value), (changed = true)));
for (const [id, name] of [["ghosts", "ghosts"], ["trail", "trail"]]) {
  $(id).addEventListener("change", (e) => ((state[name] = e.target.checked), prepare()));
}

function faster(by) {
  const options = [...$("speed").options], next = options[$("speed").selectedIndex + by];
  if (next) {
    next.selected = true;
    state.speed = +next.value;
  }
}

/** The next path of the list. */
function another(by) {
  const options = [...$("path").options], n = options.length;
  choosePath(+options[($("path").selectedIndex + by + n) % n].value);
}

const KEYS = {
  " ": () => play(!state.playing),
  ArrowLeft: (e) => (play(false), seek(nearest(state.t) - (e.shiftKey ? 10 : 1))),
  ArrowRight: (e) => (play(false), seek(nearest(state.t) + (e.shiftKey ? 10 : 1))),
  Home: () => (play(false), seek(0)),
  End: () => (play(false), seek(T - 1)),
  "+": () => faster(1),
  "=": () => faster(1),
  "-": () => faster(-1),
  "[": () => another(-1),
  "]": () => another(1),
  c: () => scene.moves && chooseCamera({ follow: "fixed", fixed: "above", above: "follow" }[state.camera]),
  g: () => others > 0 && $("ghosts").click(),
  t: () => $("trail").click(),
  l: () => ($("legend").open = !$("legend").open),
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|BUTTON|SUMMARY|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.target.type === "checkbox" && e.key === " ") return;
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act(e);
});

function dress() {
  space?.dress();
  legend();
  prepare();
}

function resize() {
  space?.resize();
  prepare();
}

function draw() {
  space?.draw();
  sphere?.draw();
  for (const chart of charts) chart.draw();
  $("time").value = nearest(state.t);
  const span = times[T - 1] - times[0], short = span < 0.05 || span > 1e6;
  const clock = `${short ? spelled(state.t, 4) : state.t.toFixed(span < 10 ? 3 : 2)} s`;
  $("clock").value = clock;
  $("mode").textContent = mode ? scene.modes[mode[state.path * T + placeOf(state.t)[0]]] : "";
  $("time").setAttribute("aria-valuetext", clock);
}

function step(now) {
  if (state.playing) {
    state.t += Math.min(0.1, (now - drawn) / 1000) * state.speed;
    changed = true;
    if (state.t >= times[T - 1]) {
      state.t = times[T - 1];
      play(false);
    }
  }
  drawn = now;
  if (changed) {
    changed = false;
    draw();
  }
  requestAnimationFrame(step);
}

dark.addEventListener("change", dress);
new ResizeObserver(() => {
  resize();
  draw(); // at once: a canvas with another size is empty
}).observe($("stage"));
resize();
dress();
play(!calm.matches);
requestAnimationFrame((now) => {
  drawn = now;
  step(now);
});

/** For tests: what stands on the page, and a way to move it. */
window.semidirect = {
  frames: T,
  seek: (frame) => (play(false), seek(frame), draw()),
  choose: choosePath,
  /** The rotation of the body by rows, and its position, as they are drawn. */
  pose: () => {
    draw();
    const body = space.mains[scene.body[state.path]];
    body.updateWorldMatrix(true, false);
    const m = body.matrixWorld.elements;
    return { rotation: [0, 4, 8, 1, 5, 9, 2, 6, 10].map((i) => m[i]), position: [m[12], m[13], m[14]] };
  },
  picture: () => (draw(), $("space").toDataURL()),
};
